const stopWords = new Set(
  `a about after again all also am an and any are as at be because been before but by can could did do does doing for from get
  give good had has have having he hello help her here hey hi him his how i if in into is it its just know like ll make me more my
  need no not now of on or our out over please re really say she should so some tell than thank thanks that the their them then
  there these they thing things this to too up us use user assistant ve very want was we were what when where which while who why
  will with would yes you your yours`.split(/\s+/),
);

/** Returns the words of a text in lower case, with contractions such as `it’s` as one word. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];

const unspaced = String.raw`[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]`;
const neighbours = new RegExp(`(${unspaced})(?=(${unspaced}))`, 'g');

/** Splits text of scripts without spaces into pairs of adjacent characters, so that its words can be compared. */
export const spacedPairs = (text: string): string => text.replace(neighbours, '$1$2 ');

/** Returns the distinct content words in the order of the text. */
export const keywordsOf = (text: string): string[] => [
  ...new Set(wordsOf(text).filter((word) => word.length > 1 && !stopWords.has(word))),
];

const verbs = new Set(
  `begin bring compare describe explain find go happen happens help improve learn matter matters pick plan see show solve start
  suggest take talk think try understand wonder work works write`.split(/\s+/),
);

/** Returns the topic of a text: its longest run of content words, at most three; null when there are none. */
export function topicOf(text: string): string | null {
  const runs: string[][] = [[]];
  for (const word of wordsOf(text.slice(0, 2_000).replace(/[.,;:!?\n]/g, ' a '))) {
    if (stopWords.has(word) || verbs.has(word) || word.length < 2) runs.push([]);
    else runs.at(-1)?.push(word);
  }
  const topics = runs.map((run) => run.slice(-3).join(' ')).filter((topic) => topic.length > 2);
  return topics.toSorted((a, b) => b.split(' ').length - a.split(' ').length || b.length - a.length)[0] ?? null;
}

/** Removes English endings, so that "refunds", "refunded" and "refund" become the same word. */
export function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const bare = word
    .replace(/(?:'s|’s)$/, '')
    .replace(/(ss)es$|ies$|([^su])s$/, (_, ss?: string, letter?: string) => ss ?? letter ?? 'y');
  const cut = bare.replace(/(?:ation|ing|edly|ed|ly|ment|ness)$/, '');
  const stemmed = cut.length >= 3 ? cut : bare;
  return stemmed.replace(/([b-df-hj-np-tv-z])\1$/, '$1').replace(/e$/, '');
}

/** Returns the non-empty sentences and list items, trimmed. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"'“])|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*#>]+|\d+\.)\s*/, '').trim())
    .filter((sentence) => sentence.length > 0);

/** Computes an FNV-1a hash over UTF-16 units: deterministic, and distributed well enough for a choice. */
export function hash(text: string, seed = 0x811c9dc5): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
