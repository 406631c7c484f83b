/** An amount in minor units, in the reader's way to write money. */
export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency: currency || 'usd' });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** A day without a time, in the reader's language. */
export const day = (date: string): string => new Date(date).toLocaleDateString(undefined, { dateStyle: 'medium' });
