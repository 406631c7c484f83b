import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { publish } from '../core/outbox.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { removalOf, removeInBatches } from '../core/database/remove-in-batches.ts';
import { logRoomEvent } from './events/room-log.ts';
import { lockRoom } from './membership.ts';
import { Room } from './room.entity.ts';
import { roomEventData } from './room.events.ts';
import { requireRole } from './room.policy.ts';

const mark = {
  name: 'room_mark_deleted',
  text: `
    update rooms r set deleted_at = $2, updated_at = $2 where id = $1 and deleted_at is null
    returning ${columnsOf(Room, 'r')}`,
};

/**
 * Marks a room as deleted, which hides it immediately on every instance. A task removes its data. Publishes
 * `room.deleted`.
 */
export async function markDeleted(tx: Ctx, id: string): Promise<void> {
  const { sequence } = await logRoomEvent(tx, id, { type: 'room.deleted' });
  const [room] = await tx.sql<Room>(mark, [id, tx.clock.now()]);
  if (!room) return;
  await publish(tx, room.ownerId, 'room.deleted', roomEventData(room, sequence));
  await enqueueTask(tx, 'room.remove', { roomId: id }, { key: id, maxAttempts: 1_000 });
}

/**
 * Deletes a room with everything in it. For the owner only.
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteRoom(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const { role } = await lockRoom(tx, id);
    requireRole(role === 'owner');
    await markDeleted(tx, id);
  });
  return { id, deleted: true };
}

/** Tables that may be large, in the order of removal. */
const removals = ['room_turns', 'room_messages', 'room_events'].map((table) =>
  removalOf({ name: `room_remove_${table}`, table, column: 'room_id', batchSize: 500 }),
);
const removeRow = { name: 'room_remove', text: `delete from rooms where id = $1 and deleted_at is not null` };

/** Removes a deleted room in batches. Idempotent, so it can be repeated after a crash. */
export async function removeRoom(ctx: Ctx, roomId: string, run: TaskRun): Promise<void> {
  await removeInBatches(ctx, removals, roomId, run);
  await ctx.sql(removeRow, [roomId]);
}
