import type { AgentRemovalStep } from '../../agents/agent.ports.ts';
import { removalOf, removeInBatches } from '../../core/database/remove-in-batches.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { sendRoomEvent } from '../events/room-log.ts';
import { endTurns, refusedWithoutAgent } from '../turns/end-turn.ts';
import { lockRoomOnly } from '../membership.ts';

const batchSize = 500;
const listRooms = {
  name: 'rooms_of_agent',
  text: `select room_id as "roomId" from room_agents where agent_id = $1 limit ${batchSize}`,
};
const findQueued = {
  name: 'room_turns_queued_of_agent',
  text: `select id from room_turns where room_id = $1 and agent_id = $2 and state = 'queued'`,
};
const leave = {
  name: 'room_agent_gone',
  text: `delete from room_agents where room_id = $1 and agent_id = $2`,
};
const turns = removalOf({ name: 'room_turns_remove_agent', table: 'room_turns', column: 'agent_id', batchSize });

/** Removes a deleted agent from its rooms and refuses its waiting turns. Its messages remain under its name. */
export const removeAgentFromRooms: AgentRemovalStep = async (ctx, agentId, run) => {
  for (let count = batchSize; count === batchSize; await run.heartbeat()) {
    const rooms = await ctx.sql<{ roomId: string }>(listRooms, [agentId]);
    count = rooms.length;
    for (const { roomId } of rooms) {
      await inTransaction(ctx, async (tx) => {
        await lockRoomOnly(tx, roomId);
        const queued = await tx.sql<{ id: string }>(findQueued, [roomId, agentId]);
        await endTurns(
          tx,
          queued.map(({ id }) => id),
          refusedWithoutAgent,
        );
        await tx.sql(leave, [roomId, agentId]);
        await sendRoomEvent(tx, roomId, { type: 'room.updated' });
      });
    }
  }
  await removeInBatches(ctx, [turns], agentId, run);
};
