import chardet from 'chardet';

/** A text with the encoding in which it was read. */
export interface DecodedText {
  /** Lines end in LF. */
  text: string;
  /** Name of the encoding, in lower case, as in the Encoding Standard. */
  encoding: string;
  /** Whether the encoding is only the most probable of several. */
  isGuess: boolean;
  /** Number of places that are invalid in the encoding. They are U+FFFD in the text. */
  invalidCount: number;
}

const boms: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Returns the name of an encoding in the Encoding Standard for one of its labels, or null. */
export function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/**
 * Decodes bytes in the declared encoding, or else by the byte order mark, as UTF-16 or UTF-8, or by a guess. Text with
 * more valid than invalid sequences of UTF-8 is damaged UTF-8.
 */
export function decodeText(bytes: Uint8Array, declared: string | null = null): DecodedText {
  const marked = boms.find(([, bom]) => bom.every((byte, i) => bytes[i] === byte));
  if (declared ?? marked) return decodeAs(bytes, declared ?? marked?.[0] ?? '');
  const wide = wideCharset(bytes);
  if (wide) return decodeAs(bytes, wide);
  if (isUtf8(bytes)) return decodeAs(bytes, 'utf-8');
  const { encoding, isGuess } = guess(bytes);
  return { ...decodeAs(bytes, encoding), isGuess };
}

function decodeAs(bytes: Uint8Array, label: string): DecodedText {
  const decoder = new TextDecoder(label);
  const { encoding } = decoder;
  const text = decoder.decode(bytes).replace(/\r\n?/g, '\n');
  let invalidCount = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) invalidCount++;
  // The text may contain the character itself.
  if (invalidCount > 0 && isValid(bytes, encoding)) invalidCount = 0;
  return { text, encoding, isGuess: false, invalidCount };
}

function isValid(bytes: Uint8Array, encoding: string, options: TextDecodeOptions = {}): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, options);
    return true;
  } catch {
    return false;
  }
}

/** Lengths of the sequences of UTF-8 by the first byte from which they apply. */
const sequenceLengths = [
  [0xf5, 0],
  [0xf0, 4],
  [0xe0, 3],
  [0xc2, 2],
] as const;

/** Whether bytes are UTF-8, valid or with damage: longer sequences are stronger evidence. */
function isUtf8(bytes: Uint8Array): boolean {
  if (isValid(bytes, 'utf-8')) return true;
  let evidence = 0;
  let invalid = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x80) continue;
    const length = sequenceLengths.find(([first]) => byte >= first)?.[1] ?? 0;
    let next = i + 1;
    while (next < i + length && ((bytes[next] ?? 0) & 0xc0) === 0x80) next++;
    if (length > 0 && next === i + length) evidence += length - 1;
    else invalid++;
    i = next - 1;
  }
  return evidence > invalid;
}

const wideSampleBytes = 1_024;
/** ASCII and CJK punctuation. Text decoded in the wrong byte order contains hardly any of it. */
const common = /[\t\n\r -~\u3001\u3002\uff0c]/g;
/** Control characters, lone surrogates and unassigned code points: rare in text, frequent in other data. */
const nonText = /[^\P{C}\p{Cf}\t\n\r\f]|\ufffd/gu;
const minShare = 0.02;
/** Share of NUL bytes from which ASCII is UTF-16. Text with single NUL bytes is not. */
const minNulShare = 0.3;
/** Share of ASCII letters and spaces from which bytes are not UTF-16 of another script. */
const maxLetterShare = 0.6;

/** Detects UTF-16 without a byte order mark, in any script, by the share of common characters. */
export function wideCharset(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  // A file of UTF-16 has an even number of bytes.
  if (bytes.length < wideSampleBytes && bytes.length % 2 === 1) return null;
  const sample = bytes.subarray(0, Math.min(bytes.length, wideSampleBytes) & ~1);
  const share = (isCounted: (byte: number) => boolean): number => sample.filter(isCounted).length / sample.length;
  const isBytewise = isPlain(sample) || share(isLetter) > maxLetterShare;
  if (isBytewise && share((byte) => byte === 0) < minNulShare) return null;
  let best: 'utf-16le' | 'utf-16be' | null = null;
  let bestScore = (sample.length / 2) * minShare;
  for (const name of ['utf-16le', 'utf-16be'] as const) {
    const text = new TextDecoder(name).decode(sample, { stream: true });
    const score = count(text, common) - count(text, nonText);
    if (score > bestScore) [best, bestScore] = [name, score];
  }
  return best;
}

/** Whether bytes are the beginning of UTF-8 without control characters, apart from NUL. */
const isPlain = (sample: Uint8Array): boolean =>
  !sample.some((byte) => byte > 0 && byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)) &&
  isValid(sample, 'utf-8', { stream: sample.length > wideSampleBytes - 2 });

const isLetter = (byte: number): boolean => byte === 0x20 || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Encoding of most old files, assumed when nothing else fits. */
const usual = { name: 'windows-1252', confidence: 20 };
/** Confidence in percent, and distance to the next encoding that reads another text, from which a guess is certain. */
const certain = { confidence: 50, lead: 10 };

/** Number of bytes outside ASCII below which statistics are worthless. */
const minEvidence = 12;

/** Guesses an encoding from a sample: by statistics of languages, less what no language writes. */
function guess(bytes: Uint8Array): { encoding: string; isGuess: boolean } {
  const sample = sampleOf(bytes);
  const candidates = [...chardet.analyse(sample), usual].flatMap(({ name, confidence }) => {
    const encoding = encodingOf(name);
    if (encoding === null || encoding.startsWith('utf-')) return [];
    const text = new TextDecoder(encoding).decode(sample);
    const score = confidence + 20 * frequentShare(sample, encoding) - (300 * count(text, implausible)) / text.length;
    return [{ encoding, text, score }];
  });
  const [best, ...others] = candidates.toSorted((a, b) => b.score - a.score);
  if (!best) return { encoding: usual.name, isGuess: true };
  const next = others.find(({ text }) => text !== best.text);
  const isCertain =
    sample.filter((byte) => byte >= 0x80).length >= minEvidence &&
    best.score >= certain.confidence &&
    best.score - (next?.score ?? 0) >= certain.lead;
  return { encoding: best.encoding, isGuess: !isCertain };
}

const otherScripts = String.raw`\p{Script=Han}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}`;
/**
 * What a wrong encoding makes of a text: control and private characters, box drawing, half-width katakana, words in two
 * scripts, a capital after a small letter, and runs of accented letters and signs.
 */
const implausible = new RegExp(
  [
    String.raw`[\p{Cc}\p{Co}\p{Cn}\ufffd\u2500-\u259f\uff61-\uff9f](?<![\t\n\f\r])`,
    String.raw`\p{Script=Latin}(?=[${otherScripts}])`,
    String.raw`[${otherScripts}](?=\p{Script=Latin})`,
    String.raw`\p{Ll}(?=\p{Lu})`,
    String.raw`[\u0080-\u024f\u2010-\u20ff](?=[\u0080-\u024f\u2010-\u20ff]{2})`,
  ].join('|'),
  'gu',
);

/** First bytes of the frequent characters of an encoding: punctuation, kana, syllables, and ideographs of the first level. */
const frequent: Readonly<Record<string, RegExp>> = {
  shift_jis: /^[\x81-\x83\x88-\x97]/,
  'euc-jp': /^[\xa1\xa3-\xa5\xb0-\xcf]/,
  'euc-kr': /^[\xa1\xa3\xb0-\xc8]/,
  big5: /^[\xa1\xa4-\xc6]/,
  gb18030: /^[\xa1\xa3\xb0-\xd7]/,
};

/** Returns the share of frequent characters among those of two bytes. */
function frequentShare(sample: Uint8Array, encoding: string): number {
  const pattern = frequent[encoding];
  if (!pattern) return 0;
  const pairs =
    Buffer.from(sample)
      .toString('latin1')
      .match(/[\x80-\xff][\x40-\xff]/g) ?? [];
  return pairs.filter((pair) => pattern.test(pair)).length / Math.max(1, pairs.length);
}

const sampleBytes = 65_536;

/**
 * Returns the bytes outside ASCII with those around them, from all parts of a file, because text in other scripts may
 * begin late. Guessing from all of a 10 MB file would take ten seconds.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= sampleBytes) return bytes;
  const lines: Uint8Array[] = [];
  let length = 0;
  for (let from = 0; from < bytes.length;) {
    const end = lineEnd(bytes, from);
    const line = bytes.subarray(from, end);
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line);
      length += line.length;
    }
    from = end;
  }
  const every = Math.ceil(length / sampleBytes);
  return Buffer.concat(lines.filter((_, i) => i % every === 0)).subarray(0, sampleBytes);
}

const maxLineBytes = 1_024;

function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.subarray(from, from + maxLineBytes).indexOf(0x0a);
  return end < 0 ? from + maxLineBytes : from + end + 1;
}
