import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import type { Ctx } from '../../core/ctx.ts';
import { sha256 } from '../../core/crypto.ts';
import { fromNow } from '../../core/database/database-time.ts';
import { AppError, notFound } from '../../core/errors.ts';
import type { SafeFetch } from '../../core/http/safe-fetch.ts';
import { newUuid } from '../../core/ids.ts';
import { ImageFailure } from '../encoding/encoder.ports.ts';
import { imageFormatOf } from '../encoding/image-format.ts';
import { maxImageBytes } from '../encoding/image-limits.ts';
import { isSigned } from './remote-address.ts';

declare module '../../core/ctx.ts' {
  interface Ports {
    /** Fetches pictures from URLs that users have chosen. */
    pictureFetch: SafeFetch;
  }
}

/** Largest number of pictures that one process fetches concurrently. */
const maxFetches = 4;
/** Largest number of pictures that wait to be fetched; further ones are rejected. */
const maxWaitingFetches = 50;
const fetchTimeoutMs = 8_000;
const keepMs = 7 * 86_400_000;
const retryAfterMs = 600_000;

const find = {
  name: 'remote_image_find',
  text: `select is_usable as "isUsable", folder from remote_images where id = $1 and expires_at > now()`,
};
const store = {
  name: 'remote_image_store',
  text: `
    insert into remote_images (id, is_usable, folder, expires_at) values ($1, $2, $3, ${fromNow('$4')})
    on conflict (id) do update set is_usable = excluded.is_usable, folder = excluded.folder, expires_at = excluded.expires_at
    returning (select folder from remote_images old where old.id = $1) as "oldFolder"`,
};

const fetches = pLimit(maxFetches);
/** Running fetches by id, shared by all requests for one image. */
const inProgress = new Map<string, Promise<string | null>>();

const remoteKey = (id: string, folder: string): string => `remote-images/${id}/${folder}.webp`;

/**
 * Returns the file store key of a copy of an external picture, which is fetched unless it was fetched within a week.
 * The copy is validated, has no metadata, and is 256 pixels wide and high.
 * @throws AppError `not_found` for a URL that was not signed or is not a picture, `unavailable`
 */
export async function findRemoteImage(ctx: Ctx, url: string, signature: string): Promise<string> {
  if (!isSigned(ctx.config, url, signature)) throw notFound();
  const id = sha256(url).toString('hex');
  const [known] = await ctx.sql<{ isUsable: boolean; folder: string | null }>(find, [id]);
  const folder = known ? known.folder : await fetchOnce(ctx, id, url);
  if (folder === null) throw notFound();
  return remoteKey(id, folder);
}

function fetchOnce(ctx: Ctx, id: string, url: string): Promise<string | null> {
  const current = inProgress.get(id);
  if (current) return current;
  if (fetches.pendingCount >= maxWaitingFetches) throw new AppError('unavailable');
  const fetching = fetches(() => fetchPicture(ctx, id, url)).finally(() => inProgress.delete(id));
  inProgress.set(id, fetching);
  return fetching;
}

async function fetchPicture(ctx: Ctx, id: string, url: string): Promise<string | null> {
  const picture = await readPicture(ctx, url);
  const folder = picture ? newUuid() : null;
  if (picture && folder)
    await ctx.ports.files.put(remoteKey(id, folder), Readable.from([picture], { objectMode: false }));
  const [stored] = await ctx.sql<{ oldFolder: string | null }>(store, [
    id,
    folder !== null,
    folder,
    folder === null ? retryAfterMs : keepMs,
  ]);
  if (stored?.oldFolder && stored.oldFolder !== folder) await ctx.ports.files.delete(remoteKey(id, stored.oldFolder));
  return folder;
}

async function readPicture(ctx: Ctx, url: string): Promise<Buffer | null> {
  const { status, body } = await ctx.ports.pictureFetch.get({
    url,
    headers: { accept: 'image/webp,image/png,image/jpeg,image/gif', 'user-agent': 'agent-chat-service' },
    maxBytes: maxImageBytes,
    timeoutMs: fetchTimeoutMs,
  });
  if (status !== 200 || !body || imageFormatOf(body) === null) return null;
  try {
    const request = { read: async () => body, kind: 'avatar', isGenerated: false, only: 'medium' } as const;
    return (await ctx.ports.imageEncoder.encode(request)).variants.medium ?? null;
  } catch (error) {
    if (error instanceof ImageFailure) return null;
    throw error;
  }
}
