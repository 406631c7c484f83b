import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { User } from './user.entity.ts';

/** Fields of an account that other users see. */
export type PublicProfile = Pick<User, 'id' | 'username' | 'displayName' | 'avatarUrl'>;

const find = {
  name: 'public_profiles',
  text: `
    select ${columnsOf(User, 'u', { only: ['id', 'username', 'displayName', 'avatarUrl'] })} from users u
    where u.id = any ($1) and (u.deletion_requested_at is null or u.id = $2)`,
};

/**
 * Returns the public profiles of those accounts that exist. An account that is scheduled for deletion is visible only
 * to itself.
 */
export const publicProfilesOf = (ctx: Ctx, userIds: readonly string[]): Promise<PublicProfile[]> =>
  ctx.sql<PublicProfile>(find, [userIds, ctx.actor.kind === 'user' ? ctx.actor.userId : null]);
