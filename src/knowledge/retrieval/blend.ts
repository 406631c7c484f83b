/** How a chunk fits a question, by its words and by its meaning. */
export interface Fit {
  /** Share of the question's words, weighted by rarity, for each form of the question. */
  coverages: readonly number[];
  /** Mean nearness over the forms; null while vectors are unavailable. */
  nearness: number | null;
}

// Chosen on the tuning half of the question set in test/eval; docs/retrieval.md shows what others would give.
const wordWeight = 0.4;
const meaningWeight = 0.1;
/** Few words in common are often chance. */
const coverageExponent = 1.5;
/** A chunk that is worse than halfway between the average one and the best one adds little. */
const leastShareOfBest = 0.5;

/** Returns the score of a chunk. If the best one scores 0 or less, the question is about something else. */
export function scoreOf({ coverages, nearness }: Fit): number {
  const words = coverages.reduce((sum, coverage) => sum + coverage ** coverageExponent, 0) / coverages.length;
  return wordWeight * words + meaningWeight * (nearness ?? 0);
}

/**
 * Returns the least score with which a chunk is kept beside the best one.
 * @param average nearness of an average chunk
 */
export function leastBeside(best: number, average: number): number {
  const base = Math.min(0, meaningWeight * average);
  return base + leastShareOfBest * (best - base);
}
