import { firstFrameAt, id3SizeAt } from './mp3-frames.ts';
import type { AudioFormat } from './voice.ports.ts';

/** Number of bytes in which the signature of every other format is. */
const signatureBytes = 4_100;
/** Number of bytes in which the first frame of an MP3 file is searched for, as players do. */
const searchedBytes = 65_536;

export interface DetectedAudio {
  /** Detected format; null if it is not supported. */
  format: AudioFormat | null;
  isEmpty: boolean;
  /** The audio from its beginning, without bytes before the first frame of an MP3 file. Can be iterated once. */
  audio: AsyncIterable<Uint8Array>;
}

/** Detects the format of audio from its first bytes. Only these are buffered, at most 64 kB and one chunk. */
export async function detectAudio(source: AsyncIterable<Uint8Array>): Promise<DetectedAudio> {
  const chunks = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  let isEnd = false;
  const fill = async (sizeBytes: number): Promise<void> => {
    const parts = [head];
    let length = head.length;
    while (length < sizeBytes && !isEnd) {
      const { done, value } = await chunks.next();
      if (done) isEnd = true;
      else parts.push(value);
      length += done ? 0 : value.length;
    }
    head = Buffer.concat(parts);
  };
  const detected = (format: AudioFormat | null, from = 0): DetectedAudio => ({
    format,
    isEmpty: head.length === 0,
    audio: resume(head.subarray(from), chunks),
  });
  await fill(signatureBytes);
  const known = id3SizeAt(head, 0) > 0 ? undefined : await extensionOf(head);
  if (known !== undefined) return detected(formats[known] ?? null);
  await fill(searchedBytes);
  const tagBytes = tagsEnd(head);
  // The frames after a long tag are not looked at: a tag holds pictures of any size.
  if (tagBytes >= head.length && !isEnd) return detected('mp3');
  const frame = firstFrameAt(head, tagBytes, isEnd);
  if (frame === null) return detected(null);
  return detected('mp3', frame > tagBytes ? frame : 0);
}

/** Returns the end of the ID3 tags at the beginning. */
function tagsEnd(head: Uint8Array): number {
  let at = 0;
  for (let size = id3SizeAt(head, at); size > 0; size = id3SizeAt(head, at)) at += size;
  return at;
}

async function* resume(head: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

const formats: Record<string, AudioFormat | undefined> = {
  mp3: 'mp3',
  wav: 'wav',
  ogg: 'ogg',
  oga: 'ogg',
  opus: 'ogg',
  webm: 'webm',
};

/** Returns the extension of the format whose signature the bytes have. */
async function extensionOf(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head.subarray(0, signatureBytes)).catch(() => undefined);
  return type?.ext;
}
