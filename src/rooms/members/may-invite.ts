import { isBlockedBetween } from '../../accounts/blocks/blocks.ts';
import type { Ctx } from '../../core/ctx.ts';
import { invalidField } from '../../core/errors.ts';

const find = {
  name: 'room_invitee',
  text: `select id from users where lower(username) = lower($1) and deletion_requested_at is null`,
};

/**
 * Returns the account that the inviter may invite by this name. All rules on who may reach whom through rooms are here.
 * An account that does not exist and one with a block in either direction return the same error.
 * @throws AppError `invalid_request`
 */
export async function requireInvitable(tx: Ctx, inviterId: string, username: string): Promise<string> {
  const [user] = await tx.sql<{ id: string }>(find, [username]);
  if (user && !(await isBlockedBetween(tx, inviterId, user.id))) return user.id;
  throw invalidField('username', 'unknown_user', 'username must be the name of an account that you can invite');
}
