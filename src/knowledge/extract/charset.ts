import chardet from 'chardet';

const sampleBytes = 65_536;
const boms: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Bytes in any common charset as text: the byte order mark decides, else strict UTF-8, else what the first 64 kB look
 * like (on 10 MB the guess would take ten seconds).
 */
export function decodeText(bytes: Uint8Array): string {
  return decode(bytes).replace(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array): string {
  const marked = boms.find(([, bom]) => bom.every((byte, i) => bytes[i] === byte));
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  const wide = wideCharset(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(guess(bytes)).decode(bytes);
  }
}

const wideSampleBytes = 1_024;
/** ASCII, and what stands between the words of languages without spaces: read in the wrong order, hardly any is left. */
const common = /[\t\n\r -~\u3001\u3002\uff0c]/g;
/** Controls, halves of pairs, what has no meaning (yet): text has none, any other bytes have many. */
const meaningless = /[^\P{C}\p{Cf}\t\n\r\f]|\ufffd/gu;
const leastShare = 0.02;

/** UTF-16 without a mark, in any script: in that order the beginning is text. In any other charset, none of it looks `common`. */
export function wideCharset(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, Math.min(bytes.length, wideSampleBytes) & ~1);
  let best: 'utf-16le' | 'utf-16be' | null = null;
  let most = (sample.length / 2) * leastShare;
  for (const name of ['utf-16le', 'utf-16be'] as const) {
    const text = new TextDecoder(name).decode(sample, { stream: true });
    const score = count(text, common) - count(text, meaningless);
    if (score > most) [best, most] = [name, score];
  }
  return best;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function guess(bytes: Uint8Array): string {
  const name = chardet.detect(bytes.subarray(0, sampleBytes)) ?? 'windows-1252';
  // A guess that decodes nothing is worse than the most common charset of old files.
  try {
    return new TextDecoder(name).encoding === 'utf-8' ? 'windows-1252' : name;
  } catch {
    return 'windows-1252';
  }
}
