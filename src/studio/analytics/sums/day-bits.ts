/**
 * Days as a bitmap, so that a single operation compares the days of a person with those of a request. The bit is the
 * day number modulo 1,024. Rows span 400 days and are removed 400 days after their last one, so no two days share a
 * bit.
 */
const bitCount = 1_024;
const epoch = '2000-01-01';
const dayMs = 86_400_000;

/** SQL for an empty bitmap. */
export const noDays = `('x' || repeat('0', ${bitCount / 4}))::bit(${bitCount})`;
/** SQL for the bitmap of one day, where `day` is an SQL expression for a date. */
export const bitOfDay = (day: string): string => `set_bit(${noDays}, (${day} - date '${epoch}') % ${bitCount}, 1)`;
/** SQL for whether the bitmap `days`, which may be null, includes a day. */
export const hasDay = (days: string, day: string): string =>
  `coalesce(get_bit(${days}, (${day} - date '${epoch}') % ${bitCount}) = 1, false)`;
/** SQL that decodes the output of `hexOfDays`. */
export const bitsOfHex = (hex: string): string => `('x' || ${hex})::bit(${bitCount})`;

/** Returns the bitmap of the given days in hexadecimal. */
export function hexOfDays(days: Iterable<string>): string {
  const bytes = Buffer.alloc(bitCount / 8);
  for (const day of days) {
    const bit = Math.round((Date.parse(day) - Date.parse(epoch)) / dayMs) % bitCount;
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return bytes.toString('hex');
}
