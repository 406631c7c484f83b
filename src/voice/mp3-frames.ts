/** Properties of an MPEG audio frame (layer III), parsed from its header. */
export interface FrameHeader {
  /** Size of the frame, including the header. */
  sizeBytes: number;
  sampleRate: number;
  /** Number of samples per channel. */
  samples: number;
  /** Number of bytes before the main data: header, checksum and side information. */
  headBytes: number;
  /** MPEG version: 1, 2 or 2.5. */
  version: 1 | 2 | 2.5;
  channels: 1 | 2;
}

const kbps1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const kbps2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];
const rateDivisors = { 1: 1, 2: 2, 2.5: 4 } as const;
/** Size of the side information by the number of channels. */
const sideBytes1 = { 1: 17, 2: 32 } as const;
const sideBytes2 = { 1: 9, 2: 17 } as const;
const versions = [2.5, null, 2, 1] as const;

/**
 * Parses the frame header at `at`, or returns null if there is none. Free-format frames are not supported, because they
 * do not occur in practice.
 * @see ISO 11172-3 2.4.2.3, 13818-3
 */
export function frameHeaderAt(bytes: Uint8Array, at: number): FrameHeader | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = bytes.subarray(at, at + 4);
  const version = versions[(b1 >> 3) & 3];
  if (b0 !== 0xff || (b1 & 0xe0) !== 0xe0 || !version || ((b1 >> 1) & 3) !== 1) return null;
  const kbps = (version === 1 ? kbps1 : kbps2)[b2 >> 4];
  const baseRate = sampleRates[(b2 >> 2) & 3];
  if (!kbps || !baseRate) return null;
  const sampleRate = baseRate / rateDivisors[version];
  const samples = version === 1 ? 1_152 : 576;
  const channels = b3 >> 6 === 3 ? 1 : 2;
  const sideBytes = (version === 1 ? sideBytes1 : sideBytes2)[channels];
  return {
    sizeBytes: Math.floor((samples / 8) * ((kbps * 1_000) / sampleRate)) + ((b2 >> 1) & 1),
    sampleRate,
    samples,
    headBytes: 4 + ((b1 & 1) === 0 ? 2 : 0) + sideBytes,
    version,
    channels,
  };
}

/** Number of consecutive frames that cannot be there by chance. */
const chainFrames = 4;

/**
 * Returns the offset of the first frame at or after `from`, or null. Other bytes may precede it: the rest of a frame,
 * padding, or anything else. A frame counts only if others follow it, up to four or to the end of the file.
 * @param isEnd whether `bytes` contains the end of the file
 */
export function firstFrameAt(bytes: Uint8Array, from: number, isEnd: boolean): number | null {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (beginsFrames(bytes, at, isEnd)) return at;
  }
  return null;
}

function beginsFrames(bytes: Uint8Array, first: number, isEnd: boolean): boolean {
  const { sampleRate } = frameHeaderAt(bytes, first) ?? {};
  let at = first;
  for (let count = 0; count < chainFrames; count++) {
    const header = frameHeaderAt(bytes, at);
    if (header && header.sampleRate === sampleRate) at += header.sizeBytes;
    else return isEnd && count > 1 && bytes.length - at < endBytes;
  }
  return true;
}

/** Number of bytes after the last frame of a short file: a tag, or less than a frame. */
const endBytes = 256;

/**
 * Returns whether a frame contains no audio but the file's length (Xing, Info or VBRI), which is wrong after a join.
 */
export const isLengthFrame = (frame: Uint8Array, { headBytes }: FrameHeader): boolean =>
  ['Xing', 'Info'].includes(text(frame, headBytes)) || text(frame, 36) === 'VBRI';

/**
 * Returns the size of the ID3v2 tag at `at`, or 0 if there is none.
 * @see https://id3.org/id3v2.4.0-structure
 */
export function id3SizeAt(bytes: Uint8Array, at: number): number {
  if (bytes.length - at < 10 || text(bytes, at).slice(0, 3) !== 'ID3') return 0;
  const [flags = 0, a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at + 5, at + 10);
  if ((a | b | c | d) & 0x80) return 0;
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d) + (flags & 0x10 ? 10 : 0);
}

const text = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
