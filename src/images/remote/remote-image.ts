import { Readable } from 'node:stream';
import { requireStorage } from '../../billing/storage/stored-bytes.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { fromNow } from '../../core/database/database-time.ts';
import { rowExpiry } from '../../core/database/purge-in-batches.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { newUuid } from '../../core/ids.ts';
import { cleanUpNow, holdFallbackTask } from '../../core/tasks/fallback-task.ts';
import type { ImageModerationState } from '../image.entity.ts';
import { fetchPicture, isPaused } from './fetch-picture.ts';
import { isSigned } from './remote-address.ts';

const keepMs = 7 * 86_400_000;
const retryAfterMs = 600_000;
/** Largest number of copies of an account. The oldest ones are replaced. */
const maxCopies = 200;
/** Largest number of pictures that are fetched for an account in an hour. */
const maxFetchesPerHour = 400;
const hourSeconds = 3_600;
/** Number of accounts and of agents that are considered when several show the same picture. */
const maxOwners = 3;

/** Returns SQL for accounts that show the picture with the URL `$2`, on their profile or as that of an agent. */
const ownersOf = `
  array(
    (select u.id from users u where u.avatar_url = $2 and u.deletion_requested_at is null limit ${maxOwners})
    union
    (select a.owner_id from agents a join users u on u.id = a.owner_id
     where a.avatar_url = $2 and a.deleted_at is null and a.moderation_state <> 'removed' and u.deletion_requested_at is null
     limit ${maxOwners}))`;
const find = {
  name: 'remote_image_find',
  text: `
    select ${ownersOf} as owners, r.folder, r.moderation_state as state,
      r.owner_id is not null and (r.expires_at > now() or r.moderation_state <> 'ok') as "isKnown"
    from (select) one left join remote_images r on r.id = $1`,
};
// A copy that moderators took down stays, so that its picture is not fetched again.
const store = {
  name: 'remote_image_store',
  text: `
    insert into remote_images as r (id, owner_id, is_usable, folder, size_bytes, expires_at)
    values ($1, $2, $3, $4, $5, ${fromNow('$6')})
    on conflict (id) do update set owner_id = excluded.owner_id, is_usable = excluded.is_usable, folder = excluded.folder,
      size_bytes = excluded.size_bytes, expires_at = excluded.expires_at
    where r.moderation_state = 'ok'`,
};
const replaceOldest = {
  name: 'remote_images_replace',
  text: `
    delete from remote_images where id = any (array(
      select id from remote_images where owner_id = $1 and moderation_state = 'ok'
      order by expires_at desc, id offset ${maxCopies}))`,
};

interface Found {
  /** Accounts that show the picture now. */
  owners: string[];
  folder: string | null;
  state: ImageModerationState | null;
  isKnown: boolean | null;
}

/** Running fetches by id, shared by all requests for one image. */
const inProgress = new Map<string, Promise<string | null>>();

const remoteKey = (id: string, folder: string): string => `remote-images/${id}/${folder}.webp`;

/**
 * Returns the file store key of a copy of an external picture, which is fetched unless it was fetched within a week. The
 * picture is shown only while it is the avatar of an account or an agent, and its copy counts against that account.
 * @throws AppError `not_found` for a URL that was not signed, is no avatar any more, was taken down or is not a picture,
 * `rate_limited` when too many pictures were fetched for the account, `unavailable`
 */
export async function findRemoteImage(ctx: Ctx, url: string, signature: string): Promise<string> {
  if (!isSigned(ctx.config, url, signature)) throw notFound();
  const id = sha256(url).toString('hex');
  const [found] = await ctx.sql<Found>(find, [id, url]);
  if (!found || found.owners.length === 0 || found.state === 'removed') throw notFound();
  const folder = found.isKnown ? found.folder : await fetchOnce(ctx, id, url, found.owners);
  if (folder === null) throw notFound();
  return remoteKey(id, folder);
}

async function fetchOnce(ctx: Ctx, id: string, url: string, owners: readonly string[]): Promise<string | null> {
  const current = inProgress.get(id);
  if (current) return current;
  if (isPaused(url)) return null;
  const fetching = chargeOwner(ctx, owners)
    .then((ownerId) => copyPicture(ctx, id, url, ownerId))
    .finally(() => inProgress.delete(id));
  inProgress.set(id, fetching);
  return fetching;
}

/** Counts a fetch for the first account that may have one, before it is made. Returns the account. */
async function chargeOwner(ctx: Ctx, owners: readonly string[]): Promise<string> {
  let retryAfterSeconds = 0;
  for (const ownerId of owners) {
    const state = await ctx.ports.rateLimits.consume(`remote-images:${ownerId}`, maxFetchesPerHour, hourSeconds);
    if (state.retryAfterSeconds === null) return ownerId;
    retryAfterSeconds = state.retryAfterSeconds;
  }
  throw new AppError('rate_limited', { retryAfterSeconds });
}

async function copyPicture(ctx: Ctx, id: string, url: string, ownerId: string): Promise<string | null> {
  const picture = await fetchPicture(ctx, url, ownerId);
  if (!picture || !(await hasStorage(ctx, picture.length, ownerId))) {
    await ctx.sql(store, [id, ownerId, false, null, 0, retryAfterMs]);
    await ctx.sql(replaceOldest, [ownerId]);
    return null;
  }
  const folder = newUuid();
  const removal = await holdFallbackTask(ctx, 'remote-image.remove', folder, { id, folder });
  try {
    await ctx.ports.files.put(remoteKey(id, folder), Readable.from([picture], { objectMode: false }));
    await inTransaction(ctx, async (tx) => {
      if (!(await removal.withdraw(tx))) throw new AppError('unavailable');
      await tx.sql(store, [id, ownerId, true, folder, picture.length, keepMs]);
      await tx.sql(replaceOldest, [ownerId]);
    });
    removal.release();
    return folder;
  } catch (error) {
    await cleanUpNow(ctx, removal, () => removeRemoteFile(ctx, { id, folder }));
    throw error;
  }
}

const hasStorage = (ctx: Ctx, bytes: number, ownerId: string): Promise<boolean> =>
  requireStorage(ctx, bytes, ownerId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );

const isUsed = {
  name: 'remote_image_used',
  text: `select 1 as found from remote_images where id = $1 and folder = $2`,
};

/** Removes the file of a copy that was deleted or replaced. A database trigger enqueues this. */
export async function removeRemoteFile(ctx: Ctx, { id, folder }: { id: string; folder: string }): Promise<void> {
  if ((await ctx.sql(isUsed, [id, folder])).length === 0) await ctx.ports.files.delete(remoteKey(id, folder));
}

/** Removes copies that were fetched a week ago. */
export const remoteImageExpiry = rowExpiry({
  name: 'remoteImages',
  statement: {
    name: 'remote_images_expire',
    text: `
      delete from remote_images where id = any (array(
        select id from remote_images where expires_at <= now() and (moderation_state = 'ok' or owner_id is null)
        order by expires_at limit $1))
      returning 1`,
  },
});
