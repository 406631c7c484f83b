import { callerId } from '../../accounts/caller.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { readLocked } from '../membership.ts';
import { mayAdmit } from '../members/may-invite.ts';
import { admit } from '../members/admit.ts';
import { joinByLinkInput, type MemberState, type RoomRole } from '../room.input.ts';
import { getRoom, type RoomView } from '../room-view.ts';

interface Found {
  id: string;
  roomId: string;
  ownerId: string;
  role: RoomRole;
  /** State of the caller's membership; null if they were never in the room. */
  state: MemberState | null;
  username: string;
}

const findRoom = {
  name: 'room_invitation_room',
  text: `select room_id as "roomId" from room_invitations where token_hash = $1`,
};
const find = {
  name: 'room_invitation_by_token',
  text: `
    select i.id, i.role, r.id as "roomId", r.owner_id as "ownerId", m.state, u.username
    from room_invitations i join rooms r on r.id = i.room_id join users u on u.id = $3
    left join room_members m on m.room_id = r.id and m.user_id = u.id
    where r.id = $1 and r.deleted_at is null and i.token_hash = $2 and ${mayAdmit('i.created_by')}`,
};
const use = {
  name: 'room_invitation_use',
  text: `
    update room_invitations set uses = uses + 1
    where id = $1 and revoked_at is null and expires_at > $2 and uses < max_uses returning 1 as used`,
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
    const hash = sha256(token);
    const [link] = await tx.sql<{ roomId: string }>(findRoom, [hash]);
    const [found] = link ? await readLocked<Found>(tx, find, [link.roomId, hash, userId]) : [];
    if (!found || found.state === 'banned') throw notFound();
    if (found.state !== 'joined') {
      const used = await tx.sql(use, [found.id, tx.clock.now()]);
      if (used.length === 0) throw notFound();
      const room = { id: found.roomId, ownerId: found.ownerId };
      await admit(tx, { room, userId, username: found.username, role: found.role });
    }
    return getRoom(tx, found.roomId);
  });
}
