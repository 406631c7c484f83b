import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { publish } from '../../core/outbox.ts';
import { logRoomEvent, sendRoomEvent } from '../events/room-log.ts';
import { type Membership, lockRoom } from '../membership.ts';
import { markDeleted } from '../remove-room.ts';
import type { MemberState } from '../room.input.ts';
import { getMember } from './member-view.ts';
import { chooseSuccessor, revokeInvitationsBy, transferOwnership } from './ownership.ts';
import { withdrawOffer } from './transfer.ts';

const setState = {
  name: 'room_member_end',
  text: `update room_members set state = $3, role = 'member' where room_id = $1 and user_id = $2`,
};
// Removes private agents with the owner who brought them, because their knowledge was shared only by that person.
const removePrivateAgents = {
  name: 'room_agents_leave',
  text: `
    delete from room_agents ra using agents a
    where ra.room_id = $1 and ra.added_by = $2 and a.id = ra.agent_id and not a.is_public returning ra.agent_id`,
};
type Ended = Extract<MemberState, 'left' | 'removed' | 'banned'>;

/**
 * Ends the membership of a person, whose last event is the end itself, with the invitations that they made. If they own
 * the room, it is transferred to the longest-standing moderator, else member, whose plan allows it, and deleted if no one
 * is left. `isGone` is true for an account that is removed, whose room then goes to someone in any case. The transaction
 * must hold the room's lock.
 * @throws AppError `conflict` when no other person can own the room
 */
export async function endMembership(
  tx: Ctx,
  room: Pick<Membership, 'id' | 'ownerId' | 'offeredTo'>,
  userId: string,
  state: Ended,
  isGone = false,
): Promise<void> {
  const member = await getMember(tx, room.id, userId);
  const isOwner = userId === room.ownerId;
  const ownerId = isOwner ? await chooseSuccessor(tx, room.id, userId, isGone) : room.ownerId;
  if (ownerId === null) return markDeleted(tx, room.id);
  if (isOwner) await transferOwnership(tx, room.id, ownerId, userId);
  else if (userId === room.offeredTo) await withdrawOffer(tx, room.id);
  await tx.sql(setState, [room.id, userId, state]);
  await revokeInvitationsBy(tx, room.id, userId, 'member');
  const { sequence } = await logRoomEvent(tx, room.id, { type: 'member.left', userId });
  const gone = await tx.sql(removePrivateAgents, [room.id, userId]);
  if (gone.length > 0) await sendRoomEvent(tx, room.id, { type: 'room.updated' });
  const { username, role } = member;
  const data = { roomId: room.id, userId, username: username ?? '', role, state, sequence };
  await publish(tx, ownerId, 'room.member_left', data);
}

/** Leaves a room. @throws AppError `not_found`, `conflict` when the caller owns it and no other person can */
export async function leaveRoom(ctx: Ctx, roomId: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => endMembership(tx, await lockRoom(tx, roomId), callerId(tx), 'left'));
  return { id: roomId, deleted: true };
}
