/** Buckets whose bounds grow by a factor, so that a quantile read from them is at most a tenth off. They can be added up. */
const bucketCount = 48;
const firstBoundMs = 20;
const growth = 1.2;

/** The bucket of a duration: below 20 ms the first, above about two minutes the last. */
export const bucketOf = (ms: number): number =>
  Math.min(Math.max(Math.ceil(Math.log(ms / firstBoundMs) / Math.log(growth)), 0), bucketCount - 1);

export const emptyHistogram = (): number[] => Array.from({ length: bucketCount }, () => 0);

export const addHistograms = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((count, index) => count + (b[index] ?? 0));
/** The duration that a share of the values does not exceed, in milliseconds; null without values. */
export function quantileOf(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = share * total;
  const bucket = histogram.findIndex((count) => (left -= count) <= 0);
  // The middle of the bucket on a logarithmic scale.
  return Math.round(firstBoundMs * growth ** (bucket - 0.5));
}
