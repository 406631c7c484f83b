import chardet from 'chardet';

const sampleBytes = 65_536;
const boms: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Bytes in any common charset as text: the byte order mark decides, else strict UTF-8, else what the first 64 kB look
 * like (on 10 MB the guess would take ten seconds). Without NUL, which PostgreSQL can't hold.
 */
export function decodeText(bytes: Uint8Array): string {
  return decode(bytes).replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed();
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

/** UTF-16 without a mark: in Latin text every other byte is zero. */
export function wideCharset(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const length = Math.min(bytes.length, 1_024) & ~1;
  if (length < 4) return null;
  const zeros = [0, 0];
  for (let i = 0; i < length; i++) if (bytes[i] === 0) zeros[i & 1] = (zeros[i & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = length / 2;
  if (odd > most * 0.4 && even < most * 0.05) return 'utf-16le';
  return even > most * 0.4 && odd < most * 0.05 ? 'utf-16be' : null;
}

function guess(bytes: Uint8Array): string {
  const name = chardet.detect(bytes.subarray(0, sampleBytes)) ?? 'windows-1252';
  // A guess that decodes nothing is worse than the most common charset of old files.
  try {
    return new TextDecoder(name).encoding === 'utf-8' ? 'windows-1252' : name;
  } catch {
    return 'windows-1252';
  }
}
