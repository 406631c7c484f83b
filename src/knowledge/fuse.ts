const rankOffset = 60;

/**
 * Reciprocal rank fusion: what several lists have near their top comes first; of equals the one met first.
 * @see https://plg.uwaterloo.ca/~gvcormac/cormacksigir09-rrf.pdf
 */
export function fuse(lists: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (rankOffset + rank + 1));
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id);
}

const alikeShare = 0.7;
const shingleWords = 3;

/** Whether two texts say nearly the same: most of the shorter one's runs of three words stand in the other. */
export function isNearDuplicate(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return large.size === 0;
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  return shared / small.size >= alikeShare;
}

export function shinglesOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const shingles = new Set<string>();
  for (let i = 0; i + Math.min(shingleWords, words.length) <= words.length; i++) {
    shingles.add(words.slice(i, i + shingleWords).join(' '));
  }
  return shingles;
}
