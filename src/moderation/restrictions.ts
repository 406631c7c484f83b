import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';

const find = {
  name: 'moderation_restriction_find',
  text: `select 1 as restricted from moderation_restrictions where user_id = $1 limit 1`,
};

/**
 * Requires that the caller may publish. Applies to everything that others can see: publishing, reviews, rooms, social
 * writes and images. An account under `restrict_author` can still log in, use agents, export, delete and appeal.
 * @throws AppError `forbidden`
 */
export async function requireUnrestricted(ctx: Ctx): Promise<void> {
  if (ctx.actor.kind !== 'user' || !(await isRestricted(ctx, ctx.actor.userId))) return;
  throw restricted();
}

/** Creates the error for an account under `restrict_author`. */
export const restricted = (): AppError =>
  new AppError('forbidden', {
    message: 'Moderators have restricted your account, so it cannot publish. You can appeal the decision.',
  });

/** Returns whether a decision prevents the account from publishing. */
export const isRestricted = async (ctx: Ctx, userId: string): Promise<boolean> =>
  (await ctx.sql(find, [userId])).length > 0;

/** SQL condition: the account in `column` may publish. Actions of a restricted account do not count. */
export const isUnrestricted = (column: string): string =>
  `not exists (select from moderation_restrictions mr where mr.user_id = ${column})`;
