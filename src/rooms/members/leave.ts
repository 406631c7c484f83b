import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { publish } from '../../core/outbox.ts';
import { logRoomEvent, sendRoomEvent } from '../events/room-log.ts';
import { type Membership, lockRoom } from '../membership.ts';
import { markDeleted } from '../remove-room.ts';
import type { MemberState } from '../room.input.ts';
import { getMember } from './member-view.ts';

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
const findSuccessor = {
  name: 'room_heir',
  text: `
    select m.user_id as "userId" from room_members m join users u on u.id = m.user_id
    where m.room_id = $1 and m.user_id <> $2 and m.state = 'joined' and u.deletion_requested_at is null
    order by (m.role = 'moderator') desc, m.joined_at, m.user_id limit 1`,
};
const transferStatement = {
  name: 'room_hand_over',
  text: `
    with r as (update rooms set owner_id = $2, updated_at = $3 where id = $1)
    update room_members set role = case when user_id = $2 then 'owner' else 'moderator' end
    where room_id = $1 and (user_id = $2 or role = 'owner')`,
};

/**
 * Transfers a room to one of its members and makes the previous owner a moderator. The transaction must hold the room's
 * lock.
 */
export async function transferOwnership(tx: Ctx, roomId: string, userId: string): Promise<void> {
  await tx.sql(transferStatement, [roomId, userId, tx.clock.now()]);
  await sendRoomEvent(tx, roomId, { type: 'room.updated' });
}

type Ended = Extract<MemberState, 'left' | 'removed' | 'banned'>;

/**
 * Ends the membership of a person, whose last event is the end itself. If they own the room, it is transferred to the
 * longest-standing moderator, else to the longest-standing member, and deleted if there is neither. The transaction
 * must hold the room's lock.
 */
export async function endMembership(
  tx: Ctx,
  room: Pick<Membership, 'id' | 'ownerId'>,
  userId: string,
  state: Ended,
): Promise<void> {
  const member = await getMember(tx, room.id, userId);
  const heir = userId === room.ownerId ? (await tx.sql<{ userId: string }>(findSuccessor, [room.id, userId]))[0] : null;
  if (heir === undefined) return markDeleted(tx, room.id);
  if (heir) await transferOwnership(tx, room.id, heir.userId);
  await tx.sql(setState, [room.id, userId, state]);
  const { sequence } = await logRoomEvent(tx, room.id, { type: 'member.left', userId });
  const gone = await tx.sql(removePrivateAgents, [room.id, userId]);
  if (gone.length > 0) await sendRoomEvent(tx, room.id, { type: 'room.updated' });
  const { username, role } = member;
  const data = { roomId: room.id, userId, username: username ?? '', role, state, sequence };
  await publish(tx, heir?.userId ?? room.ownerId, 'room.member_left', data);
}

/** Leaves a room. @throws AppError `not_found` */
export async function leaveRoom(ctx: Ctx, roomId: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => endMembership(tx, await lockRoom(tx, roomId), callerId(tx), 'left'));
  return { id: roomId, deleted: true };
}
