import { blockSubject } from '../../accounts/blocks/blocks.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { invalidField, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { sendRoomEvent } from '../events/room-log.ts';
import { getMembership, hiddenPosition, lockRoom } from '../membership.ts';
import { beforeInput, readInput, type RoomRole } from '../room.input.ts';
import { canManage, moderates, requireRole } from '../room.policy.ts';
import { getRoom, type RoomView } from '../room-view.ts';
import { messageColumns, messageJoins, type RoomMessageView } from './room-message.ts';

const list = {
  name: 'room_messages_list',
  text: `
    select ${messageColumns('$5', '$2')} from room_messages m ${messageJoins}
    where m.room_id = $1 and m.position > $2 and m.position < $3 order by m.position desc limit $4`,
};
const findPosition = {
  name: 'room_message_position',
  text: `select position from room_messages where id = $1 and room_id = $2 and position > $3`,
};

/**
 * Lists the messages of a room, newest first, from the position from which the caller may read. Uses keyset pagination,
 * so the cost does not grow with the depth.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listRoomMessages(
  ctx: Ctx,
  roomId: string,
  input: unknown,
): Promise<{ data: RoomMessageView[]; hasMore: boolean }> {
  const { limit, before } = parseInput(beforeInput, input);
  const room = await getMembership(ctx, roomId);
  const hidden = hiddenPosition(room);
  const end = before ? await positionOf(ctx, roomId, before, hidden) : room.lastPosition + 1_000;
  const data = await ctx.sql<RoomMessageView>(list, [roomId, hidden, end, limit + 1, blockSubject(ctx)]);
  return { data: data.slice(0, limit), hasMore: data.length > limit };
}

async function positionOf(ctx: Ctx, roomId: string, id: string, hidden: number): Promise<number> {
  const [found] = isId('rms_', id) ? await ctx.sql<{ position: number }>(findPosition, [id, roomId, hidden]) : [];
  if (found) return found.position;
  throw invalidField('before', 'unknown_message', 'before must be the id of a message of this room');
}

const findAuthor = {
  name: 'room_message_author',
  text: `
    select m.user_id as "userId", coalesce(a.role, 'member') as role from room_messages m
    left join room_members a on a.room_id = m.room_id and a.user_id = m.user_id and a.state = 'joined'
    where m.id = $1 and m.room_id = $2 and m.position > $3`,
};
const erase = {
  name: 'room_message_erase',
  text: `
    update room_messages set content = '', mentions = '[]'::jsonb, citations = null, deleted_at = $2
    where id = $1 and deleted_at is null returning 1 as erased`,
};

/**
 * Erases the content of a message, for its author or someone who may moderate the author. The message keeps its
 * position. Deleting it twice is a no-op.
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteRoomMessage(
  ctx: Ctx,
  roomId: string,
  messageId: string,
): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const room = await lockRoom(tx, roomId);
    const values = [messageId, roomId, hiddenPosition(room)];
    const [author] = isId('rms_', messageId)
      ? await tx.sql<{ userId: string | null; role: RoomRole }>(findAuthor, values)
      : [];
    if (!author) throw notFound();
    const isOwn = author.userId === callerId(tx);
    requireRole(isOwn || (author.userId === null ? moderates(room.role) : canManage(room.role, author.role)));
    await eraseRoomMessage(tx, roomId, messageId);
  });
  return { id: messageId, deleted: true };
}

/** Erases the content of a message. Returns whether it had any. The transaction must hold the room's lock. */
export async function eraseRoomMessage(tx: Ctx, roomId: string, messageId: string): Promise<boolean> {
  const erased = await tx.sql(erase, [messageId, tx.clock.now()]);
  if (erased.length > 0) await sendRoomEvent(tx, roomId, { type: 'message.deleted', messageId });
  return erased.length > 0;
}

const markRead = {
  name: 'room_mark_read',
  text: `
    update room_members m set last_read_position = greatest(m.last_read_position, least($3, r.last_position))
    from rooms r where r.id = m.room_id and m.room_id = $1 and m.user_id = $2 and m.state = 'joined' and r.deleted_at is null
    returning 1 as marked`,
};

/**
 * Advances the caller's read position, at most to the newest message; never moves it back.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function markRoomRead(ctx: Ctx, roomId: string, input: unknown): Promise<RoomView> {
  const { position } = parseInput(readInput, input);
  const marked = isId('room_', roomId)
    ? await ctx.sql(markRead, [roomId, callerId(ctx), Math.min(position, 2_147_483_647)])
    : [];
  if (marked.length === 0) throw notFound();
  return getRoom(ctx, roomId);
}
