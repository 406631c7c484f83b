import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ctx, Ports } from '../ctx.ts';
import { AppError } from '../errors.ts';

const prefix = 'acs-upload-';
/** Far more than the time that a request may take. In milliseconds. */
const staleMs = 3_600_000;

/** Bytes of uploads in progress, on this instance, of one account and of all. */
const maxAccountBytes = 536_870_912;
const maxInstanceBytes = 2_147_483_648;

const instance = '';
const reservations = new WeakMap<Ports, Map<string, number>>();

/**
 * Reserves temporary storage for an upload of at most `bytes`, whatever part of it has arrived. Returns a function
 * that releases it.
 * @throws AppError `rate_limited` when the account has too much in progress, `unavailable` when the instance has
 */
export function reserveUpload({ ports, actor }: Ctx, bytes: number): () => void {
  const reserved = reservations.get(ports) ?? new Map<string, number>();
  reservations.set(ports, reserved);
  const account = actor.kind === 'user' ? actor.userId : actor.kind;
  const heldBy = (holder: string): number => reserved.get(holder) ?? 0;
  if (heldBy(account) + bytes > maxAccountBytes) {
    const message = 'Too many uploads are in progress. Wait until one has ended.';
    throw new AppError('rate_limited', { message, retryAfterSeconds: 5 });
  }
  if (heldBy(instance) + bytes > maxInstanceBytes) throw new AppError('unavailable', { retryAfterSeconds: 5 });
  const add = (amount: number) => {
    for (const holder of [account, instance]) {
      const held = heldBy(holder) + amount;
      if (held > 0) reserved.set(holder, held);
      else reserved.delete(holder);
    }
  };
  add(bytes);
  return () => add(-bytes);
}

/**
 * Creates a folder for a file that is needed for the time of a request; the caller removes it. The first call of a
 * process removes those of processes that were killed.
 */
export async function makeUploadFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await removeOthers(folder);
  return folder;
}

let isClean = false;

/** Compares the times that the file system has set, not the clock of the process. */
async function removeOthers(folder: string): Promise<void> {
  if (isClean) return;
  isClean = true;
  const { mtimeMs: now } = await stat(folder);
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const path of names.map((name) => join(tmpdir(), name))) {
    // Another process may remove it first, or it may belong to another user.
    const found = await stat(path).catch(() => null);
    if (found && now - found.mtimeMs > staleMs) await rm(path, { recursive: true, force: true }).catch(() => null);
  }
}
