const numbers = new Intl.NumberFormat();
const rules = new Intl.PluralRules();

/** Formats a whole number in the reader's locale. */
export const count = (value: number): string => numbers.format(value);

/** Selects the plural form for a number and replaces `#` with it: `{ one: '# message', other: '# messages' }`. */
export const plural = (
  value: number,
  forms: { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>,
): string => (forms[rules.select(value)] ?? forms.other).replace('#', count(value));
