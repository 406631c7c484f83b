import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { User } from './user.entity.ts';

/** What other users see of an account. */
export type PublicProfile = Pick<User, 'id' | 'username' | 'displayName' | 'avatarUrl'>;

const find = {
  name: 'public_profiles',
  text: `
    select ${columnsOf(User, 'u', { only: ['id', 'username', 'displayName', 'avatarUrl'] })} from users u
    where u.id = any ($1) and (u.deletion_requested_at is null or u.id = $2)`,
};

/**
 * The public profiles of those of the accounts that exist. One that is scheduled for deletion is visible to itself only.
 */
export const publicProfilesOf = (ctx: Ctx, userIds: readonly string[]): Promise<PublicProfile[]> =>
  ctx.sql<PublicProfile>(find, [userIds, ctx.actor.kind === 'user' ? ctx.actor.userId : null]);
