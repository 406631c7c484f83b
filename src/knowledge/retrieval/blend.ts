/** How well a chunk fits a question, by words and by meaning. */
export interface Fit {
  /** Share of the question's words, weighted by rarity, for each form of the question. */
  coverages: readonly number[];
  /** Mean nearness over the forms of the question; null while vectors are unavailable. */
  nearness: number | null;
}

// Chosen on the tuning half of the question set in test/eval; docs/retrieval.md shows the results of other values.
const wordWeight = 0.4;
const meaningWeight = 0.1;
/** Reduces low coverages: a few words in common are often chance. */
const coverageExponent = 1.5;
/**
 * Lower bound of nearness in a score. Chunks that are much alike make the others look very far: without a bound, a chunk
 * with every word of the question would count as unrelated.
 */
const leastNearness = -1.5;
/**
 * Position between the average chunk (0) and the best one (1) below which a chunk is dropped, because it adds little.
 */
const minShareOfBest = 0.5;

/**
 * Evidence that a question of one word needs. A question of more words needs less: it is unlikely to be near a passage,
 * or to share words with it, by chance in all of them.
 */
const evidenceForOneWord = 0.1;

/**
 * Returns the least score of the best chunk for a question with this number of words. Below it, no chunk is about the
 * question.
 */
export const leastBestScore = (words: number): number => evidenceForOneWord / Math.max(1, words);

/** Returns the score of a chunk. */
export function scoreOf({ coverages, nearness }: Fit): number {
  const words = coverages.reduce((sum, coverage) => sum + coverage ** coverageExponent, 0) / coverages.length;
  return wordWeight * words + weighed(nearness ?? 0);
}

/**
 * Returns the lowest score at which a chunk is kept along with the best one, which is never negative.
 * @param average nearness of an average chunk
 */
export function minScore(best: number, average: number): number {
  const base = Math.min(0, weighed(average));
  return Math.max(0, base + minShareOfBest * (best - base));
}

const weighed = (nearness: number): number => meaningWeight * Math.max(leastNearness, nearness);
