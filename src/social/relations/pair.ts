import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';

/**
 * Returns `userId` if it is the id of another user.
 * @throws AppError `not_found` for a malformed id, `invalid_request` for the caller's own id
 */
export function requireOther(ctx: Ctx, userId: string, verb: string): string {
  if (!isId('usr_', userId)) throw notFound();
  if (userId === callerId(ctx)) throw invalidField('userId', 'own_account', `You cannot ${verb} yourself.`);
  return userId;
}

const lock = { name: 'social_lock_pair', text: `select pg_advisory_xact_lock(hashtextextended($1, 140))` };

/**
 * Serializes changes between two accounts, so that a concurrent follow and block cannot both persist. The lock is held
 * until the transaction ends.
 */
export const lockPair = async (tx: Ctx, one: string, other: string): Promise<void> =>
  void (await tx.sql(lock, [[one, other].toSorted().join(' ')]));

const findUser = {
  name: 'social_find_user',
  text: `select from users where id = $1 and deletion_requested_at is null`,
};

/**
 * Checks that a user exists.
 * @throws AppError `not_found` for an account that does not exist or is being deleted
 */
export async function requireUserExists(tx: Ctx, userId: string): Promise<void> {
  if ((await tx.sql(findUser, [userId])).length === 0) throw notFound();
}

/**
 * Checks a count that includes the new item.
 * @throws AppError `conflict` above the limit
 */
export function requireWithin(count: number, limit: number, what: string): void {
  if (count <= limit) return;
  throw new AppError('conflict', { message: `You can ${what} at most ${limit.toLocaleString('en')} people.` });
}
