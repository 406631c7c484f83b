import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import type { PurgeStep } from '../core/feature.ts';
import { lockRoomOnly } from './membership.ts';
import { endMembership } from './members/leave.ts';

const batchSize = 500;

const blankMessages = {
  name: 'purge_room_messages',
  text: `
    update room_messages set content = '', mentions = '[]'::jsonb, user_id = null, deleted_at = coalesce(deleted_at, $2)
    where ctid = any (array(select ctid from room_messages where user_id = $1 limit ${batchSize}))
    returning 1`,
};
const listRooms = {
  name: 'purge_rooms_of',
  text: `
    select m.room_id as "roomId" from room_members m join rooms r on r.id = m.room_id
    where m.user_id = $1 and m.state = 'joined' and r.deleted_at is null limit ${batchSize}`,
};
const readOwner = {
  name: 'purge_room_owner',
  text: `select owner_id as "ownerId", offered_to as "offeredTo" from rooms where id = $1`,
};
// Assigns public agents of other accounts that the person added to the room's owner, also in rooms that the person left
// before, so that they stay.
const keepAgents = {
  name: 'purge_room_agents',
  text: `
    update room_agents ra set added_by = r.owner_id from rooms r
    where r.id = ra.room_id and (ra.room_id, ra.agent_id) in (
      select o.room_id, o.agent_id from room_agents o join agents a on a.id = o.agent_id join rooms k on k.id = o.room_id
      where o.added_by = $1 and a.owner_id <> $1 and k.owner_id <> $1 limit ${batchSize})
    returning 1`,
};

/** Removes a person's texts and name from every room. Replies to them remain; rooms that they own are transferred. */
export const purgeRooms: PurgeStep = {
  name: 'rooms',
  purge: async (ctx, userId, signal) => {
    let left = 0;
    for (let count = batchSize; count === batchSize; left += count) count = await leaveSome(ctx, userId, signal);
    await inBatches(signal, () => ctx.sql(keepAgents, [userId]));
    const messages = await inBatches(signal, () => ctx.sql(blankMessages, [userId, ctx.clock.now()]));
    return { rooms: left, room_messages: messages };
  },
};

/** Repeats `run` until a batch is empty. Returns the total number of rows. */
async function inBatches(signal: AbortSignal, run: () => Promise<object[]>): Promise<number> {
  for (let total = 0; ;) {
    signal.throwIfAborted();
    const { length } = await run();
    total += length;
    if (length < batchSize) return total;
  }
}

async function leaveSome(ctx: Ctx, userId: string, signal: AbortSignal): Promise<number> {
  const rooms = await ctx.sql<{ roomId: string }>(listRooms, [userId]);
  for (const { roomId } of rooms) {
    signal.throwIfAborted();
    await inTransaction(ctx, async (tx) => {
      await lockRoomOnly(tx, roomId);
      const [room] = await tx.sql<{ ownerId: string; offeredTo: string | null }>(readOwner, [roomId]);
      if (!room) return;
      await endMembership(tx, { id: roomId, ...room }, userId, 'left', true);
    });
  }
  return rooms.length;
}
