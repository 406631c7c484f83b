import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

/**
 * Embeds a text in silent MP3 frames, in their unused bytes. Unlike tags, frames survive joining files.
 */
export function textFrames(text: string): Buffer {
  const packed = brotliCompressSync(text);
  const total = Math.ceil(packed.length / pieceBytes);
  return Buffer.concat(
    Array.from({ length: total }, (_, index) => {
      const piece = packed.subarray(index * pieceBytes, (index + 1) * pieceBytes);
      const frame = Buffer.alloc(frameBytes);
      frameHeader.copy(frame);
      mark.copy(frame, markAt);
      frame.writeUInt16BE(index, headAt);
      frame.writeUInt16BE(total, headAt + 2);
      frame.writeUInt16BE(piece.length, headAt + 4);
      piece.copy(frame, pieceAt);
      return frame;
    }),
  );
}

/** Creates a reader that finds the texts in a streamed file. */
export function textReader(): { read(chunk: Buffer): void; texts: readonly string[] } {
  const texts: string[] = [];
  let pieces: Buffer[] = [];
  let tail = Buffer.alloc(0);
  const take = (frame: Buffer) => {
    const [index, total, sizeBytes] = [0, 2, 4].map((offset) => frame.readUInt16BE(mark.length + offset));
    const piece = frame.subarray(mark.length + 6, mark.length + 6 + (sizeBytes ?? 0));
    pieces = index === 0 ? [piece] : [...pieces, piece];
    if (pieces.length !== total) return;
    const text = unpack(Buffer.concat(pieces));
    if (text !== null) texts.push(text);
  };
  return {
    texts,
    read: (chunk) => {
      const bytes = Buffer.concat([tail, chunk]);
      let at = bytes.indexOf(mark);
      let end = 0;
      for (; at >= 0 && at + frameBytes - markAt <= bytes.length; at = bytes.indexOf(mark, end)) {
        end = at + frameBytes - markAt;
        take(Buffer.from(bytes.subarray(at, end)));
      }
      tail = Buffer.from(bytes.subarray(Math.max(end, at >= 0 ? at : bytes.length - mark.length)));
    },
  };
}

function unpack(packed: Buffer): string | null {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: 1_048_576 }).toString();
  } catch {
    return null;
  }
}

/** Header of MPEG 2 layer III, 160 kbit/s, 24 kHz, one channel, no CRC. */
const frameHeader = Buffer.of(0xff, 0xf3, 0xe4, 0xc4);
const frameBytes = 480;
/** Offset after the header and nine bytes of side information, which mark the frame as silent. */
const markAt = 4 + 9;
const mark = Buffer.from('simulator');
const headAt = markAt + mark.length;
const pieceAt = headAt + 6;
const pieceBytes = frameBytes - pieceAt;
