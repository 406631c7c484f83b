import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import { sendRoomEvent } from './events/room-log.ts';
import { lockRoom } from './membership.ts';
import { Room } from './room.entity.ts';
import { roomEventData } from './room.events.ts';
import { createRoomInput, listRoomsInput, updateRoomInput } from './room.input.ts';
import { moderates, requireRole } from './room.policy.ts';
import { getRoom, roomColumns, type RoomView } from './room-view.ts';
import { isOpenMembership } from './members/may-invite.ts';
import { requireRoomCapacity } from './members/ownership.ts';
import { RoomMember } from './members/room-member.entity.ts';

/** Creates a room of the caller and publishes `room.created`. @throws AppError `invalid_request`, `plan_limit_exceeded` */
export async function createRoom(ctx: Ctx, input: unknown): Promise<RoomView> {
  const fields = parseInput(createRoomInput, input);
  const id = newId('room_');
  return inTransaction(ctx, async (tx) => {
    await requireUnrestricted(tx);
    const ownerId = callerId(tx);
    await requireRoomCapacity(tx, ownerId);
    const now = tx.clock.now();
    const room = tx.em.create(Room, {
      id,
      ownerId,
      name: fields.name,
      description: fields.description ?? null,
      scene: fields.scene ?? null,
      replyMode: fields.replyMode ?? 'mention',
      agentHops: fields.agentHops ?? 0,
      repliesPerMessage: fields.repliesPerMessage ?? 3,
      payer: fields.payer ?? 'sender',
      history: fields.history ?? 'from_join',
      lastPosition: 0,
      eventSequence: 1,
      rotatedPosition: null,
      offeredTo: null,
      offerExpiresAt: null,
      lastMessageAt: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
    const owner = {
      roomId: id,
      userId: ownerId,
      role: 'owner',
      state: 'joined',
      joinedAt: now,
      createdAt: now,
    } as const;
    await tx.em.persist(room).flush();
    await tx.em.persist(tx.em.create(RoomMember, { ...owner, invitedBy: null, mutedUntil: null })).flush();
    await publish(tx, ownerId, 'room.created', roomEventData(room, 1));
    return getRoom(tx, id);
  });
}

const from = `
  room_members m join rooms r on r.id = m.room_id
  where m.user_id = $1 and m.state in ('invited', 'joined') and r.deleted_at is null and ${isOpenMembership}`;
const active = 'coalesce(r.last_message_at, r.created_at)';
const listActive = orderedList<RoomView>({
  name: 'rooms_list',
  columns: roomColumns,
  from,
  valueCount: 1,
  key: { column: active, kind: 'time', of: ({ lastMessageAt, createdAt }) => lastMessageAt ?? createdAt },
  id: { column: 'r.id', of: ({ id }) => id },
});
const countAll = { name: 'rooms_count', text: `select count(*) as total from ${from}` };

/**
 * Lists the rooms that the caller has joined or is invited to, by newest message first.
 * @throws AppError `invalid_request`
 */
export async function listRooms(ctx: Ctx, input: unknown): Promise<Page<RoomView>> {
  const page = parseInput(listRoomsInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, listActive, values, page), page, countAll, values);
}

/**
 * Changes the given fields: moderators may change name and description, the owner all of them.
 * @throws AppError `invalid_request`, `not_found`, `forbidden`
 */
export async function updateRoom(ctx: Ctx, id: string, input: unknown): Promise<RoomView> {
  const { name, description, ...settings } = parseInput(updateRoomInput, input);
  return inTransaction(ctx, async (tx) => {
    const { role } = await lockRoom(tx, id);
    await requireUnrestricted(tx);
    requireRole(role === 'owner' || (moderates(role) && Object.keys(settings).length === 0));
    const room = await tx.em.findOneOrFail(Room, { id });
    tx.em.assign(room, { name, description, ...settings, updatedAt: tx.clock.now() }, { ignoreUndefined: true });
    await tx.em.flush();
    await sendRoomEvent(tx, id, { type: 'room.updated' });
    return getRoom(tx, id);
  });
}
