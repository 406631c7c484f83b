import { Readable } from 'node:stream';
import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import type { PurgeStep } from '../core/feature.ts';
import { FileMissing } from '../core/files.ports.ts';
import { newUuid } from '../core/ids.ts';

/** Maximum size of the stored speech of an account. The oldest files are evicted for new ones. */
const maxAccountBytes = 50 * 1_048_576;
const maxAccountFiles = 200;
/** Retention of stored speech, the same as for the response to an `Idempotency-Key`. */
const keepMs = 24 * 3_600_000;

const folder = 'speech';
/** Form of a key. It contains a UUIDv7 and the size, so that listing keys is enough to know age and total size. */
const keyForm = /^speech\/[\w-]+\/(?<time>[0-9a-f]{8}-[0-9a-f]{4})-[0-9a-f-]{22}-(?<sizeBytes>\d+)$/;

interface KeptFile {
  key: string;
  sizeBytes: number;
  createdMs: number;
}

/**
 * Stores generated speech of the caller and returns the key for `openKeptSpeech`. Evicts the oldest files above 50 MiB
 * or 200 files of the account.
 */
export async function keepSpeech(ctx: Ctx, sound: Buffer): Promise<string> {
  const userId = callerId(ctx);
  const kept = await listKept(ctx, `${folder}/${userId}`);
  let totalBytes = sound.length;
  let count = 1;
  for (const file of kept.toSorted((a, b) => b.createdMs - a.createdMs)) {
    totalBytes += file.sizeBytes;
    count++;
    if (totalBytes > maxAccountBytes || count > maxAccountFiles) await ctx.ports.files.delete(file.key);
  }
  const key = `${folder}/${userId}/${newUuid()}-${sound.length}`;
  await ctx.ports.files.put(key, Readable.from([sound], { objectMode: false }));
  return key;
}

/**
 * Opens stored speech.
 * @throws FileMissing if it has expired or was evicted
 */
export function openKeptSpeech(ctx: Ctx, key: string): Promise<Readable> {
  if (!keyForm.test(key)) throw new FileMissing(key);
  return ctx.ports.files.get(key);
}

/** Deletes stored speech after its retention of 24 hours. Returns the number of deleted files. */
export async function removeExpiredSpeech(ctx: Ctx, signal: AbortSignal): Promise<number> {
  const oldestMs = ctx.clock.realNow().getTime() - keepMs;
  let removed = 0;
  for await (const key of ctx.ports.files.list(folder)) {
    signal.throwIfAborted();
    if ((parse(key)?.createdMs ?? 0) > oldestMs) continue;
    await ctx.ports.files.delete(key);
    removed++;
  }
  return removed;
}

/** Deletes the stored speech of an account. */
export const purgeKeptSpeech: PurgeStep = {
  name: 'kept_speech',
  purge: async (ctx, userId) => ({ speech_files: await ctx.ports.files.deletePrefix(`${folder}/${userId}`) }),
};

async function listKept(ctx: Ctx, prefix: string): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for await (const key of ctx.ports.files.list(prefix)) {
    const file = parse(key);
    if (file) files.push(file);
  }
  return files;
}

function parse(key: string): KeptFile | null {
  const { time, sizeBytes } = keyForm.exec(key)?.groups ?? {};
  if (time === undefined) return null;
  return { key, sizeBytes: Number(sizeBytes), createdMs: Number.parseInt(time.replace('-', ''), 16) };
}
