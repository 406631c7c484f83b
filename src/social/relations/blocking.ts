import { callerId } from '../../accounts/caller.ts';
import type { PublicProfile } from '../../accounts/public-profiles.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import type { Page } from '../../core/pagination.ts';
import { countWrite } from '../write-limits.ts';
import { removeFollow } from './follows.ts';
import { lockPair, requireOther, requireUserExists, requireWithin } from './pair.ts';
import { readUserList, userList } from './relation-list.ts';

const maxBlocked = 10_000;
const maxMuted = 2_000;

const insertBlock = {
  name: 'block_insert',
  text: `
    insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, $3) on conflict do nothing returning 1`,
};
const insertMute = {
  name: 'mute_insert',
  text: `insert into mutes (muter_id, muted_id, created_at) values ($1, $2, $3) on conflict do nothing returning 1`,
};
const countBlocks = { name: 'blocks_count_of', text: `select count(*) as total from blocks where blocker_id = $1` };
/**
 * Returns a condition: the account `viewer` does not mute the account `user`. PostgreSQL reads the mutes of `viewer`
 * once per statement.
 */
export const isUnmuted = (user: string, viewer: string): string =>
  `${user} not in (select m.muted_id from mutes m where m.muter_id = ${viewer})`;

const countMutes = { name: 'mutes_count_of', text: `select count(*) as total from mutes where muter_id = $1` };
const deleteBlock = { name: 'block_delete', text: `delete from blocks where blocker_id = $1 and blocked_id = $2` };
const deleteMute = { name: 'mute_delete', text: `delete from mutes where muter_id = $1 and muted_id = $2` };

/**
 * Blocks a user. Neither account sees the other afterwards, the blocked user cannot reach the caller's agents, and
 * follows in both directions end. Blocking twice is a no-op.
 * @throws AppError `invalid_request` for the caller's own id, `not_found`, `conflict` above 10,000 blocked users,
 * `rate_limited`
 */
export async function block(ctx: Ctx, userId: string): Promise<void> {
  const other = requireOther(ctx, userId, 'block');
  const me = callerId(ctx);
  await inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    await lockPair(tx, me, other);
    await requireUserExists(tx, other);
    const isNew = (await tx.sql(insertBlock, [me, other, tx.clock.now()])).length > 0;
    if (!isNew) return;
    const [row] = await tx.sql<{ total: number }>(countBlocks, [me]);
    requireWithin(row?.total ?? 0, maxBlocked, 'block');
    await removeFollow(tx, me, other);
    await removeFollow(tx, other, me);
  });
}

/**
 * Unblocks a user. Follows that ended with the block are not restored.
 * @throws AppError `not_found`, `rate_limited`
 */
export const unblock = (ctx: Ctx, userId: string): Promise<void> => remove(ctx, deleteBlock, userId);

/**
 * Hides a user from the caller's feed. The user is not notified. Muting twice is a no-op.
 * @throws AppError `invalid_request` for the caller's own id, `not_found`, `conflict` above 2,000 muted users,
 * `rate_limited`
 */
export async function mute(ctx: Ctx, userId: string): Promise<void> {
  const other = requireOther(ctx, userId, 'mute');
  const me = callerId(ctx);
  await inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    await requireUserExists(tx, other);
    const isNew = (await tx.sql(insertMute, [me, other, tx.clock.now()])).length > 0;
    if (!isNew) return;
    const [row] = await tx.sql<{ total: number }>(countMutes, [me]);
    requireWithin(row?.total ?? 0, maxMuted, 'mute');
  });
}

/**
 * Removes a mute; a no-op if the user is not muted.
 * @throws AppError `not_found`, `rate_limited`
 */
export const unmute = (ctx: Ctx, userId: string): Promise<void> => remove(ctx, deleteMute, userId);

async function remove(ctx: Ctx, statement: typeof deleteBlock, userId: string): Promise<void> {
  if (!isId('usr_', userId)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    await tx.sql(statement, [callerId(tx), userId]);
  });
}

// Ignores visibility and blocks on purpose: the caller must see the users they block in order to unblock them.
const condition = `u.deletion_requested_at is null and $2::text is not null`;
const blocked = userList({ name: 'blocks_list', table: 'blocks', of: 'blocker_id', to: 'blocked_id', condition });
const muted = userList({ name: 'mutes_list', table: 'mutes', of: 'muter_id', to: 'muted_id', condition });

/**
 * Lists the users whom the caller blocks, newest block first.
 * @throws AppError `invalid_request`
 */
export const listBlocks = (ctx: Ctx, input: unknown): Promise<Page<PublicProfile>> =>
  readUserList(ctx, blocked, [callerId(ctx), callerId(ctx)], input);

/**
 * Lists the users whom the caller mutes, newest mute first.
 * @throws AppError `invalid_request`
 */
export const listMutes = (ctx: Ctx, input: unknown): Promise<Page<PublicProfile>> =>
  readUserList(ctx, muted, [callerId(ctx), callerId(ctx)], input);
