/** Formats an amount in minor units in the reader's locale. */
export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency: currency || 'usd' });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** Formats the day of a date in the reader's locale. */
export const day = (date: string): string => new Date(date).toLocaleDateString(undefined, { dateStyle: 'medium' });
