/**
 * Days as bits, so that the days of a person are compared with those of a request in one step. A day always has the same
 * bit: a row keeps 400 days up to its last one, which is at most 400 days ago, so no two days of 1,024 share one.
 */
const bitCount = 1_024;
const epoch = '2000-01-01';
const dayMs = 86_400_000;

/** SQL: the bits of no day, and of one. */
export const noDays = `('x' || repeat('0', ${bitCount / 4}))::bit(${bitCount})`;
export const bitOfDay = (day: string): string => `set_bit(${noDays}, (${day} - date '${epoch}') % ${bitCount}, 1)`;
/** SQL: the bits that `hexOfDays` wrote. */
export const bitsOfHex = (hex: string): string => `('x' || ${hex})::bit(${bitCount})`;

/** The bits of some days in hexadecimal. */
export function hexOfDays(days: Iterable<string>): string {
  const bytes = Buffer.alloc(bitCount / 8);
  for (const day of days) {
    const bit = Math.round((Date.parse(day) - Date.parse(epoch)) / dayMs) % bitCount;
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return bytes.toString('hex');
}
