import type { Ctx } from '../../core/ctx.ts';

/**
 * Returns the condition that the account `owner` does not block the account `user`, which is null for a caller without
 * a credential.
 */
export const isOpenTo = (owner: string, user: string): string =>
  `not exists (select from blocks b where b.blocker_id = ${owner} and b.blocked_id = ${user})`;

/**
 * Returns the condition for lists that neither account blocks the other. The blocks of `user` are read once per
 * statement.
 */
export const isUnblocked = (owner: string, user: string): string => `
  ${owner} not in (
    select b.blocked_id from blocks b where b.blocker_id = ${user}
    union all select b.blocker_id from blocks b where b.blocked_id = ${user})`;

/** Returns the caller's id as the parameter `user` of these conditions. */
export const blockSubject = ({ actor }: Pick<Ctx, 'actor'>): string | null =>
  actor.kind === 'user' ? actor.userId : null;

const findBetween = {
  name: 'blocks_between',
  text: `
    select from blocks where (blocker_id = $1 and blocked_id = $2) or (blocker_id = $2 and blocked_id = $1) limit 1`,
};

/** Returns whether one of the two accounts blocks the other. */
export const isBlockedBetween = async (ctx: Ctx, one: string, other: string): Promise<boolean> =>
  (await ctx.sql(findBetween, [one, other])).length > 0;

const findBlock = {
  name: 'block_find',
  text: `select from blocks where blocker_id = $1 and blocked_id = $2`,
};

/** Returns whether the account blocks the caller. */
export const isCallerBlockedBy = async (ctx: Ctx, ownerId: string): Promise<boolean> =>
  ctx.actor.kind === 'user' && (await ctx.sql(findBlock, [ownerId, ctx.actor.userId])).length > 0;
