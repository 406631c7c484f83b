import type { AudioFormat } from './voice.ports.ts';

/** Number of bytes that is enough to detect every supported format. */
const headBytes = 4_100;

export interface DetectedAudio {
  /** Detected format; null if it is not supported. */
  format: AudioFormat | null;
  isEmpty: boolean;
  /** The whole audio from the beginning. Can be iterated once. */
  audio: AsyncIterable<Uint8Array>;
}

/** Detects the format of audio from its first bytes. Only these are buffered. */
export async function detectAudio(source: AsyncIterable<Uint8Array>): Promise<DetectedAudio> {
  const chunks = source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let sizeBytes = 0;
  while (sizeBytes < headBytes) {
    const { done, value } = await chunks.next();
    if (done) break;
    head.push(value);
    sizeBytes += value.length;
  }
  return { format: await formatOf(Buffer.concat(head)), isEmpty: sizeBytes === 0, audio: resume(head, chunks) };
}

async function* resume(head: readonly Uint8Array[], chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head;
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

async function formatOf(head: Uint8Array): Promise<AudioFormat | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head.subarray(0, headBytes)).catch(() => undefined);
  return formats[type?.ext ?? ''] ?? null;
}
