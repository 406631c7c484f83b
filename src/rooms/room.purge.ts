import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import type { PurgeStep } from '../core/feature.ts';
import { lockRoomOnly } from './turns/interrupt-turns.ts';
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
const readOwner = { name: 'purge_room_owner', text: `select owner_id as "ownerId" from rooms where id = $1` };
// Public agents that the person brought stay.
const keepAgents = {
  name: 'purge_room_agents',
  text: `
    update room_agents ra set added_by = r.owner_id from rooms r, agents a
    where ra.room_id = $1 and r.id = ra.room_id and a.id = ra.agent_id and ra.added_by = $2 and a.owner_id <> $2
      and r.owner_id <> $2`,
};

/** Takes the text and the name of a person out of every room. Replies to them stay; their rooms go to others. */
export const purgeRooms: PurgeStep = {
  name: 'rooms',
  purge: async (ctx, userId, signal) => {
    let left = 0;
    for (let count = batchSize; count === batchSize; left += count) count = await leaveSome(ctx, userId, signal);
    let messages = 0;
    for (let count = batchSize; count === batchSize; messages += count) {
      signal.throwIfAborted();
      count = (await ctx.sql(blankMessages, [userId, ctx.clock.now()])).length;
    }
    return { rooms: left, room_messages: messages };
  },
};

async function leaveSome(ctx: Ctx, userId: string, signal: AbortSignal): Promise<number> {
  const rooms = await ctx.sql<{ roomId: string }>(listRooms, [userId]);
  for (const { roomId } of rooms) {
    signal.throwIfAborted();
    await inTransaction(ctx, async (tx) => {
      await lockRoomOnly(tx, roomId);
      const [room] = await tx.sql<{ ownerId: string }>(readOwner, [roomId]);
      if (!room) return;
      await endMembership(tx, { id: roomId, ownerId: room.ownerId }, userId, 'left');
      await tx.sql(keepAgents, [roomId, userId]);
    });
  }
  return rooms.length;
}
