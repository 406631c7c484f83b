/** Histogram with exponentially growing buckets: a quantile is off by at most a tenth, and histograms can be added. */
export const bucketCount = 48;
const firstBoundMs = 20;
const growth = 1.2;

/** Returns the bucket of a duration. The first bucket is below 20 ms, the last is above about two minutes. */
export const bucketOf = (ms: number): number =>
  Math.min(Math.max(Math.ceil(Math.log(ms / firstBoundMs) / Math.log(growth)), 0), bucketCount - 1);

export const emptyHistogram = (): number[] => Array.from({ length: bucketCount }, () => 0);

export const addHistograms = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((count, index) => count + (b[index] ?? 0));

/** Returns the quantile of a histogram in milliseconds, for a share between 0 and 1; null without values. */
function quantileOf(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = share * total;
  const bucket = histogram.findIndex((count) => (left -= count) <= 0);
  // The middle of the bucket on the logarithmic scale.
  return Math.round(firstBoundMs * growth ** (bucket - 0.5));
}

const [median, slowest] = [0.5, 0.95];

/** Returns the median and the 95th percentile of latencies in milliseconds. */
export const latencyOf = ({
  firstWords,
  replyTimes,
}: {
  firstWords: readonly number[];
  replyTimes: readonly number[];
}) => ({
  firstWordsMsP50: quantileOf(firstWords, median),
  firstWordsMsP95: quantileOf(firstWords, slowest),
  replyMsP50: quantileOf(replyTimes, median),
  replyMsP95: quantileOf(replyTimes, slowest),
});
