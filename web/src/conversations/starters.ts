import { texts } from './texts.ts';

const generic = [texts.whatCanYouDo, texts.giveMeExample, texts.whereIBegin, texts.askMeThreeQuestions];

const about = [
  (topic: string) => texts.tellMeAbout(topic),
  (topic: string) => texts.giveMeExampleOf(topic),
  (topic: string) => texts.askMeThreeQuestionsAbout(topic),
];

/** "Explains", "Drafts and tightens", "Helps you with": what follows is the topic. */
const verb = /^[A-Z][a-z]+s (?:and [a-z]+s )?(?:(?:you|people|customers) )?(?:(?:with|about|in) )?/;
const shortest = 4;
const longest = 60;

/** Four ways to begin a chat: about what the description says that the agent does, if it says so in that form. */
export function startersOf(description: string | null | undefined): string[] {
  const [sentence = ''] = (description ?? '').split(/[.;:!?\n]/);
  const topics = verb.test(sentence)
    ? sentence
        .replace(verb, '')
        .split(/, (?:and )?| and /)
        .map((topic) => topic.trim())
        .filter((topic) => topic.length >= shortest && topic.length <= longest)
    : [];
  if (topics.length === 0) return generic;
  return [texts.whatCanYouDo, ...about.map((ask, place) => ask(topics[place % topics.length] ?? ''))];
}
