import { PassThrough, type Readable } from 'node:stream';
import { AppError } from '../../src/core/errors.ts';

/** Some 20 minutes of speech. What is longer is passed on, not kept. */
const maxKeptBytes = 10 * 1_048_576;

/**
 * Runs `answer`, which hands the sound it makes to `pass` and keeps what that answers (base64). Settles with the sound as
 * soon as there is some, or with the answer when none was made. The sound ends once it is kept, so who has all of it can
 * ask for it again; it fails as it fails.
 */
export async function keepWhilePassing<Answer>(
  answer: (pass: (sound: Readable) => Promise<string>) => Promise<Answer>,
): Promise<Readable | Answer> {
  const begun = Promise.withResolvers<Readable>();
  const listener = new PassThrough();
  listener.on('error', () => undefined);
  const kept = answer((sound) => {
    begun.resolve(listener);
    return collect(sound, listener);
  });
  kept.then(
    () => listener.end(),
    (error: unknown) => (error === tooLong ? listener.end() : listener.destroy(error as Error)),
  );
  return Promise.race([begun.promise, kept]);
}

/** Never seen by anybody: it has the key forgotten. */
const tooLong = new AppError('payload_too_large');

/** All of `sound`, also if the listener leaves; he is waited for only once it is too much to be kept. */
async function collect(sound: Readable, listener: PassThrough): Promise<string> {
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
  if (sizeBytes > maxKeptBytes) throw tooLong;
  return Buffer.concat(chunks).toString('base64');
}

/** A listener that has gone never drains. */
function drained(listener: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      listener.off('drain', done).off('close', done);
      resolve();
    };
    listener.on('drain', done).on('close', done);
  });
}
