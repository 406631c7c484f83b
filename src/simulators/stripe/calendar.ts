/**
 * Returns the time `count` months or years after `anchor` (Unix seconds), at the same time of day, on the last day of a
 * month that is too short. Counts from the anchor, so that the 31st is restored after February.
 */
export function addIntervals(anchor: number, interval: 'month' | 'year', count: number): number {
  const from = new Date(anchor * 1_000);
  const month = from.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  const time = anchor % 86_400;
  return Date.UTC(from.getUTCFullYear(), month, day) / 1_000 + time;
}
