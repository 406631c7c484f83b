import chardet from 'chardet';

const sampleBytes = 65_536;
const boms: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes bytes in any common charset: by the byte order mark, else as strict UTF-8, else by a guess from the first 64
 * kB. Guessing from all of a 10 MB file would take ten seconds.
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
/** ASCII and CJK punctuation. Text decoded in the wrong byte order contains hardly any of it. */
const common = /[\t\n\r -~\u3001\u3002\uff0c]/g;
/** Control characters, lone surrogates and unassigned code points: rare in text, frequent in other data. */
const nonText = /[^\P{C}\p{Cf}\t\n\r\f]|\ufffd/gu;
const minShare = 0.02;

/** Detects UTF-16 without a byte order mark, in any script, by the share of common characters. */
export function wideCharset(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, Math.min(bytes.length, wideSampleBytes) & ~1);
  let best: 'utf-16le' | 'utf-16be' | null = null;
  let bestScore = (sample.length / 2) * minShare;
  for (const name of ['utf-16le', 'utf-16be'] as const) {
    const text = new TextDecoder(name).decode(sample, { stream: true });
    const score = count(text, common) - count(text, nonText);
    if (score > bestScore) [best, bestScore] = [name, score];
  }
  return best;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function guess(bytes: Uint8Array): string {
  const name = chardet.detect(bytes.subarray(0, sampleBytes)) ?? 'windows-1252';
  // Falls back to the most common charset of old files when the guess is unusable.
  try {
    return new TextDecoder(name).encoding === 'utf-8' ? 'windows-1252' : name;
  } catch {
    return 'windows-1252';
  }
}
