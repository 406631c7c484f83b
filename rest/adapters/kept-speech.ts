import { PassThrough, type Readable } from 'node:stream';
import { AppError } from '../../src/core/errors.ts';

/** About 20 minutes of speech. Longer speech is passed on but not kept. */
const maxKeptBytes = 10 * 1_048_576;

/** Passes sound on to the client, and returns all of it. @throws NotKept when it is too long to be kept */
type Pass = (sound: Readable) => Promise<Buffer>;

/**
 * Runs `answer`, which generates sound, hands it to `pass` and stores what that returns. Resolves with the sound as soon
 * as there is some, or with the answer when none was generated. The sound ends only after it was stored, so a client that
 * received all of it can repeat the request.
 */
export async function keepWhilePassing<Answer>(answer: (pass: Pass) => Promise<Answer>): Promise<Readable | Answer> {
  const begun = Promise.withResolvers<Readable>();
  const listener = new PassThrough();
  listener.on('error', () => undefined);
  const kept = answer((sound) => {
    begun.resolve(listener);
    return collect(sound, listener);
  });
  kept.then(
    () => listener.end(),
    (error: unknown) => (error instanceof NotKept ? listener.end() : listener.destroy(error as Error)),
  );
  return Promise.race([begun.promise, kept]);
}

/** The speech is complete but was not stored. Never sent to a client: it releases the key. */
export class NotKept extends AppError {
  constructor(options?: ErrorOptions) {
    super('unavailable', options);
  }
}

/** Reads all of `sound`, even if the listener leaves. Waits for a slow listener only when the sound is too long to keep. */
async function collect(sound: Readable, listener: PassThrough): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of sound as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length;
    const isKept = sizeBytes <= maxKeptBytes;
    if (isKept) chunks.push(chunk);
    else chunks.length = 0;
    if (listener.destroyed && !isKept) break;
    if (!listener.destroyed && !listener.write(chunk) && !isKept) await drained(listener);
  }
  if (sizeBytes > maxKeptBytes) throw new NotKept();
  return Buffer.concat(chunks);
}

/** Waits for `drain`, or `close`: a listener that left never drains. */
function drained(listener: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      listener.off('drain', done).off('close', done);
      resolve();
    };
    listener.on('drain', done).on('close', done);
  });
}
