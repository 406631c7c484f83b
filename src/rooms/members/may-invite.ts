import { isBlockedBetween, isOpenTo } from '../../accounts/blocks/blocks.ts';
import { isNamed, typedUsername } from '../../accounts/usernames.ts';
import type { Ctx } from '../../core/ctx.ts';
import { invalidField } from '../../core/errors.ts';
import { isUnrestricted } from '../../moderation/restrictions.ts';

const find = {
  name: 'room_invitee',
  text: `select u.id from users u where ${isNamed('u', '$1')} and u.deletion_requested_at is null`,
};

/**
 * Returns the account that the inviter may invite by this name, which may be a former one. All rules on who may reach whom through rooms are here.
 * An account that does not exist and one with a block in either direction return the same error.
 * @throws AppError `invalid_request`
 */
export async function requireInvitable(tx: Ctx, inviterId: string, username: string): Promise<string> {
  const [user] = await tx.sql<{ id: string }>(find, [typedUsername(username)]);
  if (user && !(await isBlockedBetween(tx, inviterId, user.id))) return user.id;
  throw invalidField('username', 'unknown_user', 'username must be the name of an account that you can invite');
}

// Without a stored inviter, the owner counts as the inviter.
const inviter = 'coalesce(m.invited_by, r.owner_id)';

/**
 * Returns the SQL condition that the account `user` may let others into a room: it is not being deleted, and moderators
 * have not restricted it.
 */
export const mayAdmit = (user: string): string => `(${isUnrestricted(user)} and not exists (
  select from users ku where ku.id = ${user} and ku.deletion_requested_at is not null))`;

/**
 * SQL condition: the membership `m` in the room `r` is not an invitation between two people of whom one blocks the
 * other, nor one by an account that is being deleted or restricted. Such an invitation does not exist for the invited
 * person.
 */
export const isOpenMembership = `(m.state <> 'invited' or (${mayAdmit(inviter)}
  and ${isOpenTo(inviter, 'm.user_id')} and ${isOpenTo('m.user_id', inviter)}))`;
