import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';

/** @throws AppError `not_found` for what is no user's id, `invalid_request` for the caller's own */
export function requireOther(ctx: Ctx, userId: string, verb: string): string {
  if (!isId('usr_', userId)) throw notFound();
  if (userId === callerId(ctx)) throw invalidField('userId', 'own_account', `You cannot ${verb} yourself.`);
  return userId;
}

const lock = { name: 'social_lock_pair', text: `select pg_advisory_xact_lock(hashtextextended($1, 140))` };

/** Serializes what two accounts do to each other: a follow and a block at the same moment must not both stay. */
export const lockPair = async (tx: Ctx, one: string, other: string): Promise<void> =>
  void (await tx.sql(lock, [[one, other].toSorted().join(' ')]));

const findUser = {
  name: 'social_find_user',
  text: `select from users where id = $1 and deletion_requested_at is null`,
};

/** @throws AppError `not_found` for an account that does not exist or is being deleted */
export async function requireUserExists(tx: Ctx, userId: string): Promise<void> {
  if ((await tx.sql(findUser, [userId])).length === 0) throw notFound();
}

/** @throws AppError `conflict` */
export function requireWithin(count: number, limit: number, what: string): void {
  if (count <= limit) return;
  throw new AppError('conflict', { message: `You can ${what} at most ${limit.toLocaleString('en')} people.` });
}
