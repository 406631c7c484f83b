import { texts } from './texts.ts';

const generic = [texts.whatCanYouDo, texts.giveMeExample, texts.whereIBegin, texts.askMeThreeQuestions];

const about = [
  (topic: string) => texts.tellMeAbout(topic),
  (topic: string) => texts.giveMeExampleOf(topic),
  (topic: string) => texts.askMeThreeQuestionsAbout(topic),
];

/** Matches "Explains", "Drafts and tightens" or "Helps you with", which precede the topic. */
const verb = /^[A-Z][a-z]+s (?:and [a-z]+s )?(?:(?:you|people|customers) )?(?:(?:with|about|in) )?/;
const shortest = 4;
const longest = 60;

/** Returns four suggested first messages, about the topic of the agent's description when `verb` finds one. */
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
