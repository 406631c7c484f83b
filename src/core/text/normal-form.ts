/**
 * Characters that the normal form leaves out: soft hyphens, zero-width and bidirectional characters, variation
 * selectors, the Arabic kashida, and the marks with which a word can also be written without: accents of Latin, Greek
 * and Cyrillic, vowel signs of Hebrew, Arabic and Syriac, tones of N’Ko, dots of Indic scripts. Marks that a word needs,
 * such as the vowels of Hindi and Thai and the voicing of kana, remain.
 */
const omitted = new RegExp(
  String.raw`[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u135d-\u135f\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]`,
  'gu',
);

const letters: Readonly<Record<string, string>> = {
  ς: 'σ',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  // Letters that Arabic, Persian and Urdu keyboards write differently.
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ە: 'ه',
  ٱ: 'ا',
};

/** Zeros of digits that people also write as 0 to 9: Arabic, Persian, Devanagari and Bengali. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6];

const replacements = new Map<string, string>([
  ...Object.entries(letters),
  ...zeros.flatMap((zero) =>
    Array.from({ length: 10 }, (_, n): [string, string] => [String.fromCodePoint(zero + n), String(n)]),
  ),
]);
const replaced = new RegExp(`[${[...replacements.keys()].join('')}]`, 'gu');

const ascii = /^[\0-\x7f]*$/;

/**
 * Returns the form in which texts are compared: without case, accents, vowel signs and invisible characters, and with
 * one form for full-width, half-width, decomposed, presentation and ligature characters. Texts that a reader takes for
 * the same words have the same form. The SQL function `normal_form` returns the same, so a change here needs a
 * migration. Only for comparing: what is shown is stored as written.
 */
export const normalForm = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(omitted, '')
        .normalize('NFKC')
        .toLowerCase()
        .replace(replaced, (letter) => replacements.get(letter) ?? letter);

/** Characters of a text that have a normal form together. */
export interface NormalCluster {
  /** The normal form; empty for invisible characters. */
  form: string;
  /** Position in the text, in UTF-16 code units. */
  start: number;
  end: number;
}

// A character with what changes its form: marks, invisible characters, vowels and finals of Hangul, half-width voicing.
const cluster = /[^][\p{M}\p{Cf}\u0640\u1160-\u11ff\uff9e\uff9f]*/gu;

/** Yields the normal form of a text with positions: the forms together are `normalForm(text)`. Lazy. */
export function* normalClusters(text: string): Generator<NormalCluster> {
  const forms = new Map<string, string>();
  for (const { 0: found, index: start } of text.matchAll(cluster)) {
    let form = forms.get(found);
    if (form === undefined) forms.set(found, (form = normalForm(found)));
    yield { form, start, end: start + found.length };
  }
}
