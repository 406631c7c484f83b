import { Readable } from 'node:stream';
import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import type { PurgeStep } from '../core/feature.ts';
import { FileMissing } from '../core/files.ports.ts';
import { newUuid } from '../core/ids.ts';

/** Limit of stored speech per account; the oldest is evicted for new speech. */
const maxAccountBytes = 50 * 1_048_576;
const maxAccountFiles = 200;
/** Same retention as the response of an `Idempotency-Key`. */
const keepMs = 24 * 3_600_000;

const folder = 'speech';
/** The name has a UUIDv7 and the size, so that a listing tells age and total size. */
const keyForm = /^speech\/[\w-]+\/(?<time>[0-9a-f]{8}-[0-9a-f]{4})-[0-9a-f-]{22}-(?<sizeBytes>\d+)$/;

interface KeptFile {
  key: string;
  sizeBytes: number;
  createdMs: number;
}

/** Keeps generated speech of the caller in the file store, and returns the key for `openKeptSpeech`. */
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

/** Opens speech kept under the key. @throws FileMissing when it has expired or was removed for newer speech */
export function openKeptSpeech(ctx: Ctx, key: string): Promise<Readable> {
  if (!keyForm.test(key)) throw new FileMissing(key);
  return ctx.ports.files.get(key);
}

/** Removes kept speech whose idempotent answer has expired. Returns the number of files. */
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

/** Removes the kept speech of an account. */
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
