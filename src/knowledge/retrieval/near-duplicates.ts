/** Minimum share of the shorter text's runs of words for two texts to count as near-duplicates. */
export const duplicateShare = 0.7;
const shingleWords = 3;

/**
 * Returns whether two texts are near-duplicates: the longer one contains most of the shorter one's runs of three words.
 */
export function isNearDuplicate(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return large.size === 0;
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  return shared / small.size >= duplicateShare;
}

/** Returns the runs of three words in a text, in lower case. A shorter text is one run. */
export function shinglesOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const shingles = new Set<string>();
  for (let i = 0; i + Math.min(shingleWords, words.length) <= words.length; i++) {
    shingles.add(words.slice(i, i + shingleWords).join(' '));
  }
  return shingles;
}
