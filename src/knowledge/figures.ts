import { normalForm } from '../core/text/normal-form.ts';

/**
 * Numbers, dates, telephone numbers and identifiers in one form, however they are written: `19,90` and `19.9`,
 * `+47 22 55 66 77` and `4722556677`, `EMP-13603` and `emp13603`, `1 March 2026` and `2026-03-01`. An index of words
 * splits each of these differently, so each also has forms that are one word.
 */

/** A number, date or identifier in a text. */
export interface Figure {
  /** Offsets in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Its forms, each one word of the index. Figures that share one of them are the same. */
  forms: string[];
  /** Its parts, which may be asked for alone. */
  parts: string[];
}

/** Languages whose names of months are read in dates. */
const monthLocales = 'en de fr es it pt nl sv da nb fi pl cs ru uk tr ro hu el hr sl sk id'.split(' ');
const months = new Map<string, number>(
  monthLocales.flatMap((locale) =>
    (['long', 'short'] as const).flatMap((month) => {
      const alone = new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' });
      const inDate = new Intl.DateTimeFormat(locale, { month, day: 'numeric', timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, i) => {
        const date = new Date(Date.UTC(2024, i, 1));
        const part = inDate.formatToParts(date).find(({ type }) => type === 'month')?.value ?? '';
        return [alone.format(date), part].map((name): [string, number] => [monthKey(name), i + 1]);
      }).flat();
    }),
  ),
);

function monthKey(name: string): string {
  return normalForm(name).replaceAll('.', '');
}

const space = String.raw`[ \u00a0\u2009\u202f]`;
// The alternatives are in the order of preference, and each has a bounded length, so that a match takes linear time.
const pattern = new RegExp(
  [
    String.raw`(?<iso>(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d))`,
    String.raw`(?<local>(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d))`,
    String.raw`(?<eastern>\d{4}[年년]${space}?\d{1,2}[月월]${space}?\d{1,2}[日일])`,
    String.raw`(?<dayFirst>(?<![\p{L}\d])\d{1,2}(?:\.|st|nd|rd|th|º|er)?${space}(?:of${space}|de${space})?\p{L}{3,12}\.?(?:,?${space}(?:de${space})?\d{4}(?!\d))?)`,
    String.raw`(?<monthFirst>(?<![\p{L}\d])\p{L}{3,12}\.?${space}\d{1,2}(?:st|nd|rd|th)?(?![\p{L}\d]|[.,]\d)(?:,?${space}\d{4}(?!\d))?)`,
    String.raw`(?<account>(?<![\p{L}\d])[A-Za-z]{2}\d{2}(?:${space}[A-Za-z\d]{4}){2,7}(?:${space}[A-Za-z\d]{1,3}(?![A-Za-z\d]))?)`,
    String.raw`(?<identifier>(?<![\p{L}\d])(?:[A-Za-z]{1,12}[-_/.#]?\d|\d{1,12}[-_/]?[A-Za-z])[A-Za-z\d]{0,24}(?:[-_/.][A-Za-z\d]{1,24}){0,6})`,
    String.raw`(?<time>(?<!\d)\d{1,2}(?::\d{2}(?!\d)(?:${space}?[ap]\.?m\b)?|${space}?[ap]\.?m\b))`,
    String.raw`(?<groups>(?<!\d)(?:\+\d{1,3}|\(\+?\d{1,4}\)|\d{1,4})(?:(?:${space}?[-/.]${space}?|${space}|(?<=\))|(?=\())\(?\d{1,8}\)?(?!\d)){1,7}(?![,]\d))`,
    String.raw`(?<number>\d{1,20}(?:[.,'’\u00a0\u2009\u202f ]\d{3}(?!\d)){0,5}(?:[.,]\d{1,9})?)`,
  ].join('|'),
  'gu',
);

/** Most characters of a figure before its first digit, such as the name of a month. */
const beforeDigit = 16;

/** Returns the figures of a text, in order. Searches only around digits, because most text has none. */
export function figuresIn(text: string): Figure[] {
  const figures: Figure[] = [];
  const digit = /\d/g;
  let end = 0;
  for (let at = digit.exec(text); at; at = digit.exec(text)) {
    pattern.lastIndex = Math.max(end, at.index - beforeDigit);
    const match = pattern.exec(text);
    if (!match) break;
    const [found] = match;
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0] as Kind;
    const forms = [...readers[kind](found)];
    // What only looked like a date or a telephone number may begin with a number or contain other figures.
    const taken = forms.length > 0 ? found : leadingNumber(found);
    if (forms.length === 0 && taken) forms.push(...numberForms(taken));
    const parts =
      kind === 'identifier' ? identifierParts(found) : forms.filter((form) => ofYear.test(form)).map(withoutYear);
    if (taken) figures.push({ start: match.index, end: match.index + taken.length, forms: [...new Set(forms)], parts });
    end = match.index + (taken.length || firstPart(found));
    digit.lastIndex = Math.max(end, at.index);
  }
  return figures;
}

/** An identifier of several words, such as `server.port` or `maxUploads`. */
const compound = /\p{L}{2,}(?:[./]\p{L}{2,})+|\p{L}*\p{Ll}\p{Lu}\p{Ll}\p{L}*/gu;

/** Returns the words of the identifiers in a text. */
export const identifierWords = (text: string): string[] =>
  (text.match(compound) ?? []).flatMap((found) => found.split(/[./]|(?<=\p{Ll})(?=\p{Lu})/u));

/** Returns other spellings of the figures and identifiers of a text, by which they are found too, separated by spaces. */
export function otherSpellings(text: string): string {
  const plain = text.normalize('NFKC');
  const spellings = figuresIn(plain).flatMap(({ forms, parts }) => [...forms, ...parts]);
  return [...new Set([...spellings, ...identifierWords(plain)])].join(' ');
}

/** A date with its year. */
const ofYear = /^d\d{8}$/;
const withoutYear = (date: string): string => `d${date.slice(-4)}`;

type Kind = keyof typeof readers;

const readers = {
  iso: (text: string) => dateForms(text.split(/[-/.]/).map(Number)),
  local: (text: string) => {
    const [first, second, year] = text.split(/[-/.]/).map(Number);
    // 3/4 is a day of March or of April.
    return [...dateForms([year, second, first]), ...dateForms([year, first, second])];
  },
  eastern: (text: string) => dateForms((text.match(/\d+/g) ?? []).map(Number)),
  dayFirst: namedDate,
  monthFirst: namedDate,
  account: (text: string) => [joined(text)],
  time: timeForms,
  identifier: identifierForms,
  groups: groupForms,
  number: numberForms,
};

function dateForms([year, month = 0, day = 0]: (number | undefined)[]): string[] {
  if (month < 1 || month > 12 || day < 1 || day > 31) return [];
  return [`d${year ?? ''}${twoDigits(month)}${twoDigits(day)}`];
}

function namedDate(text: string): string[] {
  const name = text.match(/\p{L}{3,}/gu)?.find((word) => months.has(monthKey(word)));
  const month = name === undefined ? undefined : months.get(monthKey(name));
  if (month === undefined) return [];
  const [day, year] = (text.match(/\d+/g) ?? []).map(Number);
  return dateForms([year, month, day]);
}

function timeForms(text: string): string[] {
  const [hour = 0, minute = 0] = (text.match(/\d+/g) ?? []).map(Number);
  const half = /p\.?m$/i.test(text) ? 12 : 0;
  const hours = /[ap]\.?m$/i.test(text) ? (hour % 12) + half : hour;
  return [`t${twoDigits(hours)}${twoDigits(minute)}`];
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const joined = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

/** Number of digits from which a part of an identifier identifies as well as the whole. */
const tellingDigits = 4;
/** A quantity and its unit, such as 25kg. */
const measure = /^(\d+(?:[.,]\d+)?)([a-z]{1,3})$/;

function identifierForms(text: string): string[] {
  const digits = text.replace(/\D/g, '');
  const numbers = text.match(/\d+/g) ?? [];
  const [, quantity] = measure.exec(text.toLowerCase()) ?? [];
  if (quantity) return [joined(text), ...numberForms(quantity)];
  return digits.length >= (numbers.length > 1 ? minGroupedDigits : tellingDigits)
    ? [joined(text), digits]
    : [joined(text)];
}

function identifierParts(text: string): string[] {
  const [, , unit] = measure.exec(text.toLowerCase()) ?? [];
  const numbers = (text.match(/\d+/g) ?? []).filter(({ length }) => length >= tellingDigits);
  return unit ? [unit, ...numbers] : numbers;
}

/** Fewest digits of a telephone number or of another long number in groups. */
const minGroupedDigits = 7;
const maxGroupedDigits = 15;

function groupForms(text: string): string[] {
  const digits = text.replace(/\D/g, '');
  if (isGroupedByThousands.test(text)) return numberForms(text);
  if (digits.length < minGroupedDigits || digits.length > maxGroupedDigits) return [];
  const [country = ''] = /^(?:\+|00)\d{1,3}(?=\D)/.exec(text) ?? [];
  const national = digits.slice(country.replace(/\D/g, '').length).replace(/^0+/, '');
  return [digits.replace(/^0+/, ''), national];
}

const isGroupedByThousands = new RegExp(String.raw`^\d{1,3}(?:${space}\d{3})+$`);

/** Returns the number without separators of thousands and without zeros at its end. A single separator may be either. */
function numberForms(text: string): string[] {
  const bare = text.replaceAll(/['’\u00a0\u2009\u202f ]/g, '');
  const [, whole = '', rest = ''] = /^([\d.,]*?)(?:[.,](\d*))?$/.exec(bare) ?? [];
  const thousands = whole.replaceAll(/[.,]/g, '');
  if (rest === '') return [thousands || bare];
  const decimal = `${thousands}.${rest}`.replace(/\.?0+$/, '');
  return rest.length === 3 && !thousands.startsWith('0') ? [thousands + rest, decimal] : [decimal];
}

const leadingNumber = (text: string): string => /^\d+(?:[.,]\d+)*/.exec(text)?.[0] ?? '';
const firstPart = (text: string): number => /^(?:\p{L}+|[+(]+)/u.exec(text)?.[0].length ?? 1;
