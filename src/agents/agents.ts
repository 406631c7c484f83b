import { LockMode } from '@mikro-orm/core';
import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { orderedList, type OrderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { planLimits } from '../core/plans.ts';
import { inTransaction, sendSql } from '../core/transaction.ts';
import { Agent } from './agent.entity.ts';
import { agentEventData } from './agent.events.ts';
import { type AgentSort, createAgentInput, listAgentsInput, updateAgentInput } from './agent.input.ts';
import { canUseAgent, ownsAgent } from './agent.policy.ts';

/** A new agent of the caller. Publishes `agent.created`, and `agent.published` when it is public. @throws AppError `invalid_request`, `plan_limit_exceeded` */
export async function createAgent(ctx: Ctx, input: unknown): Promise<Agent> {
  const fields = parseInput(createAgentInput, input);
  return inTransaction(ctx, async (tx) => {
    await requireRoomForAgent(tx);
    const now = tx.clock.now();
    const agent: Agent = {
      id: newId('agent'),
      ownerId: callerId(tx),
      ...fields,
      description: fields.description ?? null,
      avatarUrl: fields.avatarUrl ?? null,
      category: fields.category ?? null,
      greetingMessage: fields.greetingMessage ?? null,
      voiceId: fields.voiceId ?? null,
      messageCount: 0,
      eventSequence: fields.isPublic ? 2 : 1,
      createdAt: now,
      updatedAt: now,
    };
    await storeAgent(tx, agent);
    await publish(tx, agent.ownerId, 'agent.created', agentEventData(agent, 1));
    if (agent.isPublic) await publish(tx, agent.ownerId, 'agent.published', agentEventData(agent, 2));
    return agent;
  });
}

const insertAgent = {
  name: 'agent_insert',
  text: `
    insert into agents (id, owner_id, name, description, instructions, model, avatar_url, is_public, category, greeting_message,
      voice_id, event_sequence, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)`,
};

// By hand, because an entity costs more than the whole rest of the operation; with the commit, because the lock is held until then.
const storeAgent = (ctx: Ctx, agent: Agent) =>
  sendSql(ctx, insertAgent, [
    agent.id,
    agent.ownerId,
    agent.name,
    agent.description ?? null,
    agent.instructions,
    agent.model,
    agent.avatarUrl ?? null,
    agent.isPublic,
    agent.category ?? null,
    agent.greetingMessage ?? null,
    agent.voiceId ?? null,
    agent.eventSequence,
    agent.createdAt,
  ]);

const countAgents = { name: 'agents_count', text: `select count(*) as total from agents where owner_id = $1` };

async function requireRoomForAgent(ctx: Ctx): Promise<void> {
  const userId = callerId(ctx);
  // One after the other on the connection: the count is made under the lock.
  const [plan, [row]] = await Promise.all([lockPlan(ctx, userId), ctx.sql<{ total: number }>(countAgents, [userId])]);
  const limit = planLimits[plan].agents;
  if ((row?.total ?? 0) >= limit) {
    throw new AppError('plan_limit_exceeded', {
      message: `Your plan allows ${limit} agents. Delete one or choose a larger plan.`,
    });
  }
}

/** Columns of an agent under the names of its entity; the counter includes what is not folded in yet. */
export const agentColumns = `
  a.id, a.owner_id as "ownerId", a.name, a.description, a.instructions, a.model, a.avatar_url as "avatarUrl",
  a.is_public as "isPublic", a.category, a.greeting_message as "greetingMessage", a.voice_id as "voiceId",
  a.message_count + coalesce((select sum(v.messages) from agent_activity v where v.agent_id = a.id), 0)::bigint as "messageCount",
  a.event_sequence as "eventSequence", a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const selectAgent = { name: 'agent_get', text: `select ${agentColumns} from agents a where a.id = $1` };

/** An agent that the caller may use. @throws AppError `not_found` when there is none, or it is somebody else's and private */
export async function getAgent(ctx: Ctx, id: string): Promise<Agent> {
  const [agent] = isId('agent', id) ? await ctx.sql<Agent>(selectAgent, [id]) : [];
  if (!agent || !canUseAgent(ctx.actor, agent)) throw notFound();
  return agent;
}

const selectAgents = { name: 'agents_get', text: `select ${agentColumns} from agents a where a.id = any ($1)` };

/** Those of the agents that exist and that the caller may use, in any order. */
export async function agentsByIds(ctx: Ctx, ids: readonly string[]): Promise<Agent[]> {
  const agents = await ctx.sql<Agent>(selectAgents, [ids]);
  return agents.filter((agent) => canUseAgent(ctx.actor, agent));
}

const agentId = { column: 'a.id', of: (agent: Agent) => agent.id };

const ownLists: Record<AgentSort, OrderedList<Agent>> = {
  created_at: ownList('created_at', { column: 'a.created_at', kind: 'time', of: (agent) => agent.createdAt }),
  updated_at: ownList('updated_at', { column: 'a.updated_at', kind: 'time', of: (agent) => agent.updatedAt }),
  name: ownList('name', { column: 'lower(a.name)', kind: 'text', of: (agent) => agent.name, ascends: true }),
};

function ownList(sort: AgentSort, key: OrderedList<Agent>['key']): OrderedList<Agent> {
  const from = 'agents a where a.owner_id = $1';
  return orderedList({ name: `agents_list_${sort}`, columns: agentColumns, from, valueCount: 1, key, id: agentId });
}

/** The caller's own agents, newest first or by name. @throws AppError `invalid_request` */
export async function listAgents(ctx: Ctx, input: unknown): Promise<Page<Agent>> {
  const { sort, ...page } = parseInput(listAgentsInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, ownLists[sort], values, page), page, countAgents, values);
}

/** Changes the fields present. Publishes `agent.updated`, and `agent.published` when it turns public. @throws AppError `invalid_request`, `not_found` */
export async function updateAgent(ctx: Ctx, id: string, input: unknown): Promise<Agent> {
  const changes = parseInput(updateAgentInput, input);
  await inTransaction(ctx, async (tx) => {
    const agent = await lockOwnAgent(tx, id);
    const published = changes.isPublic === true && !agent.isPublic;
    const sequence = agent.eventSequence + 1;
    tx.em.assign(
      agent,
      { ...changes, eventSequence: sequence + (published ? 1 : 0), updatedAt: tx.clock.now() },
      { ignoreUndefined: true },
    );
    await tx.em.flush();
    const changed = await getAgent(tx, id);
    await publish(tx, agent.ownerId, 'agent.updated', agentEventData(changed, sequence));
    if (published) await publish(tx, agent.ownerId, 'agent.published', agentEventData(changed, sequence + 1));
  });
  return getAgent(ctx, id);
}

/** Deletes an agent and with it its conversations, also those of other users. Publishes `agent.deleted`. @throws AppError `not_found` */
export async function deleteAgent(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const agent = await lockOwnAgent(tx, id);
    for (const end of tx.ports.agentEnds) await end(tx, id);
    await tx.em.nativeDelete(Agent, { id });
    await publish(tx, agent.ownerId, 'agent.deleted', { id, sequence: agent.eventSequence + 1 });
  });
  return { id, deleted: true };
}

async function lockOwnAgent(ctx: Ctx, id: string): Promise<Agent> {
  const agent = isId('agent', id)
    ? await ctx.em.findOne(Agent, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!agent || !ownsAgent(ctx.actor, agent)) throw notFound();
  return agent;
}
