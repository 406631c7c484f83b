import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { readLocked } from '../membership.ts';
import { findMentions, type Mention } from '../messages/mentions.ts';
import { agentsOfRoom, type RoomAgentView } from '../room-view.ts';
import { acceptTurn, type Payer } from './accept-turn.ts';
import type { TurnJob } from './turn-job.ts';

/** A locked room, with the data that determines whether a reply causes others. */
export interface TurnRoom {
  ownerId: string;
  mentionsIn(text: string): Mention[];
  agentHops: number;
  agents: readonly RoomAgentView[];
  payer: Payer;
  /** Whether the person who caused the turn is still in the room. */
  isRootHere: boolean;
}

interface Row {
  ownerId: string;
  agentHops: number;
  agents: RoomAgentView[];
  people: { id: string; name: string }[];
  plan: Plan;
  isLeaving: boolean;
  isRootHere: boolean;
}

const find = {
  name: 'room_of_turn',
  text: `
    select r.owner_id as "ownerId", r.agent_hops as "agentHops", ${agentsOfRoom('$3')} as agents, (
        select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.username)), '[]'::jsonb)
        from room_members m join users u on u.id = m.user_id and u.deletion_requested_at is null
        where m.room_id = r.id and m.state = 'joined') as people,
      p.plan, p.deletion_requested_at is not null as "isLeaving", exists (
        select from room_members m where m.room_id = r.id and m.user_id = $3 and m.state = 'joined') as "isRootHere"
    from rooms r join users p on p.id = $2 where r.id = $1 and r.deleted_at is null`,
};

/** Locks the room of a turn; null when the room no longer exists. */
export async function lockTurnRoom(tx: Ctx, job: TurnJob): Promise<TurnRoom | null> {
  const [row] = await readLocked<Row>(tx, find, [job.roomId, job.payerId, job.userId]);
  if (!row) return null;
  const { plan, isLeaving, people, ...room } = row;
  const addressees = [
    ...room.agents.map(({ agentId: id, name }) => ({ kind: 'agent' as const, id, name })),
    ...people.map((person) => ({ kind: 'user' as const, ...person })),
  ];
  return {
    ...room,
    mentionsIn: (text) => findMentions(text, addressees),
    payer: { userId: job.payerId, plan, isLeaving },
  };
}

/**
 * Enqueues replies of the agents that a reply addresses, as long as the chain is shorter than the room allows. These
 * turns have the same root and payer, so the total cost of a person's message is bounded.
 */
export async function enqueueAddressedAgents(
  tx: Ctx,
  job: TurnJob,
  room: TurnRoom,
  mentions: readonly Mention[],
): Promise<void> {
  if (job.hop >= room.agentHops || !room.isRootHere) return;
  const { id: _, roomId, userId, rootId, hop } = job;
  for (const mention of mentions) {
    const agent = room.agents.find(({ agentId }) => mention.kind === 'agent' && agentId === mention.id);
    if (!agent?.available || agent.muted || agent.agentId === job.agentId) continue;
    await acceptTurn(tx, { roomId, agentId: agent.agentId, userId, payer: room.payer, rootId, hop: hop + 1 });
  }
}
