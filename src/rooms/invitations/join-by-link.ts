import { callerId } from '../../accounts/caller.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { admit } from '../members/admit.ts';
import { joinByLinkInput, type MemberState, type RoomRole } from '../room.input.ts';
import { getRoom, type RoomView } from '../room-view.ts';

interface Found {
  id: string;
  roomId: string;
  ownerId: string;
  eventSequence: number;
  role: RoomRole;
  /** State of the caller's membership; null if they were never in the room. */
  state: MemberState | null;
  username: string;
}

// Locks the room first, in the same order as every other operation, to avoid deadlocks.
const lock = {
  name: 'room_invitation_lock',
  text: `
    select i.id, i.role, r.id as "roomId", r.owner_id as "ownerId", r.event_sequence as "eventSequence", m.state, u.username
    from room_invitations i join rooms r on r.id = i.room_id join users u on u.id = $2
    left join room_members m on m.room_id = i.room_id and m.user_id = $2
    where i.token_hash = $1 and r.deleted_at is null
    for no key update of r`,
};
const use = {
  name: 'room_invitation_use',
  text: `
    update room_invitations set uses = uses + 1
    where id = $1 and revoked_at is null and expires_at > $2 and uses < max_uses returning 1 as used`,
};
const readState = {
  name: 'room_member_state_locked',
  text: `select state from room_members where room_id = $1 and user_id = $2`,
};

/**
 * Joins a room by a link. An unknown, expired, exhausted or revoked link and a link to a room that has banned the
 * caller all return the same error. For a person who is already in the room, no use is counted.
 * @throws AppError `not_found`, `plan_limit_exceeded`
 */
export async function joinRoomByLink(ctx: Ctx, input: unknown): Promise<RoomView> {
  const { token } = parseInput(joinByLinkInput, input);
  return inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    const [found] = await tx.sql<Found>(lock, [sha256(token), userId]);
    if (!found) throw notFound();
    // Read under the lock, because a concurrent ban may have just committed.
    const [member] = await tx.sql<{ state: MemberState }>(readState, [found.roomId, userId]);
    if (member?.state === 'banned') throw notFound();
    if (member?.state !== 'joined') {
      const used = await tx.sql(use, [found.id, tx.clock.now()]);
      if (used.length === 0) throw notFound();
      const room = { id: found.roomId, ownerId: found.ownerId, eventSequence: found.eventSequence };
      await admit(tx, { room, userId, username: found.username, role: found.role });
    }
    return getRoom(tx, found.roomId);
  });
}
