import { callerId } from '../../accounts/caller.ts';
import { getAgent } from '../../agents/agents.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { isForeignKeyViolation } from '../../core/database/database-errors.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { requireUnrestricted } from '../../moderation/restrictions.ts';
import { sendRoomEvent } from '../events/room-log.ts';
import { lockRoom } from '../membership.ts';
import { addAgentInput, updateAgentInput } from '../room.input.ts';
import { moderates, requireRole } from '../room.policy.ts';
import { getRoom, type RoomView } from '../room-view.ts';

const capacity = {
  name: 'room_agents_capacity',
  text: `
    select (select plan from users where id = $2) as plan, count(*) as total,
      coalesce(bool_or(agent_id = $3), false) as "isHere"
    from room_agents where room_id = $1`,
};
const add = {
  name: 'room_agent_add',
  text: `
    insert into room_agents (room_id, agent_id, added_by, position, created_at)
    select $1, $2, $3, coalesce(max(position), 0) + 1, $4 from room_agents where room_id = $1`,
};

/**
 * Adds an agent to a room: a public one, or a private one of the caller, whose knowledge then becomes available to the
 * room.
 * @throws AppError `invalid_request`, `not_found`, `forbidden`, `plan_limit_exceeded` by the owner's plan, `conflict`
 */
export async function addRoomAgent(ctx: Ctx, roomId: string, input: unknown): Promise<RoomView> {
  const { agentId } = parseInput(addAgentInput, input);
  return inTransaction(ctx, async (tx) => {
    const room = await lockRoom(tx, roomId);
    await requireUnrestricted(tx);
    requireRole(moderates(room.role));
    await getAgent(tx, agentId);
    const [counted] = await tx.sql<{ plan: Plan; total: number; isHere: boolean }>(capacity, [
      roomId,
      room.ownerId,
      agentId,
    ]);
    if (counted?.isHere) throw new AppError('conflict', { message: 'This agent is already in the room.' });
    const limit = tx.catalog.planLimits.agentsPerRoom[counted?.plan ?? 'free'];
    if ((counted?.total ?? 0) >= limit) {
      const message = `The plan of the room’s owner allows ${limit} agents. Remove one or choose a larger plan.`;
      throw new AppError('plan_limit_exceeded', { message });
    }
    await tx.sql(add, [roomId, agentId, callerId(tx), tx.clock.now()]);
    await sendRoomEvent(tx, roomId, { type: 'room.updated' });
    return getRoom(tx, roomId);
  }).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? notFound() : error;
  });
}

const change = {
  name: 'room_agent_change',
  text: `
    update room_agents set muted = coalesce($3, muted) where room_id = $1 and agent_id = $2 returning 1 as changed`,
};
// Renumbers all agents. `rotate` still continues after the agent that replied last.
const move = {
  name: 'room_agent_move',
  text: `
    with ranked as (
      select agent_id, position, row_number() over (order by position, agent_id) as rank from room_agents where room_id = $1
    ), placed as (
      select agent_id, position, row_number() over (order by
        case when agent_id <> $2 then rank when rank < $3::integer then $3 + 0.5 else $3 - 0.5 end) as place
      from ranked
    ), moved as (
      update room_agents ra set position = p.place from placed p where ra.room_id = $1 and ra.agent_id = p.agent_id
    )
    update rooms set rotated_position = (
      select p.place from placed p where p.position <= rotated_position order by p.position desc limit 1)
    where id = $1`,
};

/**
 * Mutes an agent, or moves it to a position in the room's order and shifts the others. A position beyond the last one
 * means the last one.
 * @throws AppError `invalid_request`, `not_found`, `forbidden`
 */
export async function updateRoomAgent(ctx: Ctx, roomId: string, agentId: string, input: unknown): Promise<RoomView> {
  const { muted = null, position = null } = parseInput(updateAgentInput, input);
  return changeAgent(ctx, roomId, agentId, async (tx) => {
    const changed = await tx.sql(change, [roomId, agentId, muted]);
    if (changed.length > 0 && position !== null) await tx.sql(move, [roomId, agentId, position]);
    return changed;
  });
}

const remove = {
  name: 'room_agent_remove',
  text: `delete from room_agents where room_id = $1 and agent_id = $2 returning 1 as changed`,
};

/**
 * Removes an agent from a room; its messages remain.
 * @throws AppError `not_found`, `forbidden`
 */
export const removeRoomAgent = (ctx: Ctx, roomId: string, agentId: string): Promise<RoomView> =>
  changeAgent(ctx, roomId, agentId, (tx) => tx.sql(remove, [roomId, agentId]));

async function changeAgent(
  ctx: Ctx,
  roomId: string,
  agentId: string,
  run: (tx: Ctx) => Promise<object[]>,
): Promise<RoomView> {
  return inTransaction(ctx, async (tx) => {
    const { role } = await lockRoom(tx, roomId);
    requireRole(moderates(role));
    const changed = isUuid(agentId) ? await run(tx) : [];
    if (changed.length === 0) throw notFound();
    await sendRoomEvent(tx, roomId, { type: 'room.updated' });
    return getRoom(tx, roomId);
  });
}
