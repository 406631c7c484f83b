// Texts of invented words with Zipf's distribution, as in any language.

const vocabularySize = 30_000;
const syllables = 'ba ce di fo gu ka le mi no pu ra se ti vo zu sha tra qui'.split(' ');
const endings = ['', '', 's', 'ing', 'ed', 'er', 'ly', 'tion'];

const wordAt = (rank: number): string => {
  let word = '';
  for (let n = rank + 40; n > 0; n = Math.floor(n / syllables.length)) word += syllables[n % syllables.length];
  return word + (endings[rank % endings.length] ?? '');
};
const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => wordAt(rank));
const zipf = (): string => vocabulary[Math.floor(Math.exp(Math.random() * Math.log(vocabularySize)))] ?? '';

/** Returns a random word between these ranks. */
export const wordBetween = (from: number, to: number): string =>
  vocabulary[from + Math.floor(Math.random() * (to - from))] ?? '';

/** Texts of 5 to 45 words, or of fewer. */
export const createTexts = (count: number, maxWords = 45): string[] =>
  Array.from({ length: count }, () =>
    Array.from({ length: 5 + Math.floor(Math.random() * (maxWords - 5)) }, zipf).join(' '),
  );
