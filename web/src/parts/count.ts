const numbers = new Intl.NumberFormat();
const rules = new Intl.PluralRules();

/** A whole number in the reader's way to write numbers. */
export const count = (value: number): string => numbers.format(value);

/** The form for a number, in which `#` is the number: `{ one: '# message', other: '# messages' }`. */
export const plural = (
  value: number,
  forms: { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>,
): string => (forms[rules.select(value)] ?? forms.other).replace('#', count(value));
