import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { requireUnrestricted } from '../../moderation/restrictions.ts';
import { lockRoom } from '../membership.ts';
import { inviteInput, type MemberState } from '../room.input.ts';
import { moderates, requireRole } from '../room.policy.ts';
import { requireInvitable } from './may-invite.ts';
import { getMember, type MemberView } from './member-view.ts';

const findState = {
  name: 'room_member_state',
  text: `
    select (select state from room_members where room_id = $1 and user_id = $2) as state,
      (select count(*) from room_members where room_id = $1 and state = 'invited') as invited`,
};
const invite = {
  name: 'room_member_invite',
  text: `
    insert into room_members (room_id, user_id, role, state, created_at, invited_by) values ($1, $2, $3, 'invited', $4, $5)
    on conflict (room_id, user_id) do update set role = $3, state = 'invited', invited_by = $5`,
};

/** Maximum number of pending invitations by name in a room. */
const maxInvited = 100;

/**
 * Invites a person by name, for moderators; only the owner can invite someone as a moderator. Inviting twice is a
 * no-op.
 * @throws AppError `invalid_request`, `not_found`, `forbidden`, `conflict` for someone who is in the room or banned
 * from it
 */
export async function inviteToRoom(ctx: Ctx, roomId: string, input: unknown): Promise<MemberView> {
  const { username, role = 'member' } = parseInput(inviteInput, input);
  return inTransaction(ctx, async (tx) => {
    const room = await lockRoom(tx, roomId);
    await requireUnrestricted(tx);
    requireRole(room.role === 'owner' || (moderates(room.role) && role === 'member'));
    const userId = await requireInvitable(tx, callerId(tx), username);
    const [found] = await tx.sql<{ state: MemberState | null; invited: number }>(findState, [roomId, userId]);
    if (found?.state === 'joined') throw new AppError('conflict', { message: 'This person is already in the room.' });
    if (found?.state === 'banned')
      throw new AppError('conflict', { message: 'This person is banned from the room. Lift the ban first.' });
    if (found?.state !== 'invited' && (found?.invited ?? 0) >= maxInvited)
      throw new AppError('conflict', { message: `A room can have at most ${maxInvited} open invitations.` });
    await tx.sql(invite, [roomId, userId, role, tx.clock.now(), callerId(tx)]);
    return getMember(tx, roomId, userId);
  });
}
