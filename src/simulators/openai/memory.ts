import { keywordsOf } from './words.ts';

/** A fact that a person stated about themselves. `topic` is in the third person: "favourite colour". */
export interface Fact {
  topic: string;
  /** Value of the fact, such as "teal". */
  value: string;
  /** The fact in the second person, such as "your favourite colour is teal". */
  inSecondPerson: string;
}

const ending = String.raw`(?=[.,;!?\n]|\s(?:and|but|so)\s|$)`;

const name = String.raw`(\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]*)?)`;
const namePatterns = [
  new RegExp(String.raw`\b[Mm]y name(?:'s|’s| is) ${name}`, 'u'),
  new RegExp(String.raw`\b[Cc]all me ${name}`, 'u'),
  new RegExp(String.raw`\bI(?:'m|’m| am) ${name}${ending}`, 'u'),
];

const patterns: readonly [pattern: RegExp, read: (match: RegExpExecArray) => Fact][] = [
  [
    new RegExp(String.raw`\bmy ((?!name\b)[\p{L}' -]{2,40}?) (?:is|are) ([^.,;!?\n]{1,80}?)${ending}`, 'giu'),
    ([, topic = '', value = '']) => ({ topic, value, inSecondPerson: `your ${topic} is ${value}` }),
  ],
  [
    new RegExp(String.raw`\bI (live|work|study) ((?:in|at|as|for|near) [^.,;!?\n]{1,80}?)${ending}`, 'giu'),
    ([, verb = '', value = '']) => ({
      topic: verb.toLowerCase(),
      value,
      inSecondPerson: `you ${verb.toLowerCase()} ${value}`,
    }),
  ],
  [
    new RegExp(String.raw`\bI (like|love|hate|prefer|have|own|speak|play) ([^.,;!?\n]{1,80}?)${ending}`, 'giu'),
    ([, verb = '', value = '']) => ({
      topic: verb.toLowerCase(),
      value,
      inSecondPerson: `you ${verb.toLowerCase()} ${value}`,
    }),
  ],
];

/** Returns the name that the person gave last. */
export function nameOf(userTexts: readonly string[]): string | null {
  for (const text of userTexts.toReversed()) {
    for (const pattern of namePatterns) {
      const found = pattern.exec(text)?.[1];
      if (found) return found;
    }
  }
  return null;
}

/** Returns the facts in the texts. Skips questions, and reads only the beginning of a long text. */
export const factsOf = (userTexts: readonly string[]): Fact[] =>
  userTexts.flatMap((text) =>
    patterns.flatMap(([pattern, read]) =>
      (text.slice(0, 2_000).match(/[^.!?\n]+[.!?\n]?/g) ?? [])
        .filter((sentence) => !sentence.endsWith('?'))
        .flatMap((sentence) => [...sentence.matchAll(pattern)].map(read)),
    ),
  );

/** Returns the newest fact for a question such as "where do I live?". */
export function recall(question: string, facts: readonly Fact[]): Fact | undefined {
  if (!/\b(?:what|where|which|who|how many|remember|remind|do you know)\b/i.test(question)) return undefined;
  if (!/\b(?:my|i|me)\b/i.test(question) || /\b(?:should|could|would|can|how (?:do|to))\b/i.test(question))
    return undefined;
  const asked = new Set([...keywordsOf(question), ...(/\b(like|love|hate|have)\b/i.exec(question)?.slice(1) ?? [])]);
  return facts.findLast(
    ({ topic, value }) =>
      topic.split(' ').some((word) => asked.has(word.toLowerCase())) ||
      keywordsOf(value).some((word) => asked.has(word)),
  );
}
