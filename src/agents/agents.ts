import { owns } from '../core/actor.ts';
import { LockMode } from '@mikro-orm/core';
import { blockSubject, isOpenTo } from '../accounts/blocks/blocks.ts';
import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import { requireStorage } from '../billing/storage/stored-bytes.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isUuid, newUuid } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import { orderedList, type OrderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { inTransaction, sendSql } from '../core/database/transaction.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import { Agent } from './agent.entity.ts';
import { runAgentSteps } from './agent-steps.ts';
import { agentEventData } from './agent.events.ts';
import { submitAgent, submittedState } from './publication.ts';
import { type AgentFields, type AgentSort, createAgentInput, listAgentsInput } from './agent.input.ts';
import { canUseAgent } from './agent.policy.ts';

/**
 * Creates an agent of the caller. Publishes `agent.created`, and `agent.published` if it is public.
 * @throws AppError `invalid_request`, `plan_limit_exceeded`, `forbidden` for a public agent of a restricted account
 */
export async function createAgent(ctx: Ctx, input: unknown): Promise<Agent> {
  const fields = parseInput(createAgentInput, input);
  return inTransaction(ctx, (tx) => insertAgentOfCaller(tx, fields));
}

/**
 * Stores an agent whose fields were validated.
 * @throws AppError `plan_limit_exceeded`, `forbidden` for a public agent of a restricted account
 */
export async function insertAgentOfCaller(tx: Ctx, fields: AgentFields): Promise<Agent> {
  if (fields.isPublic) await requireUnrestricted(tx);
  await requireAgentCapacity(tx);
  const now = tx.clock.now();
  const moderationState = fields.isPublic ? submittedState(tx) : 'ok';
  const isAnnounced = fields.isPublic && moderationState === 'ok';
  const agent: Agent = {
    id: newUuid(),
    ownerId: callerId(tx),
    ...fields,
    description: fields.description ?? null,
    avatarUrl: fields.avatarUrl ?? null,
    category: fields.category ?? null,
    greetingMessage: fields.greetingMessage ?? null,
    voiceId: fields.voiceId ?? null,
    messageCount: 0,
    trendingScore: 0,
    eventSequence: isAnnounced ? 2 : 1,
    liveVersionId: null,
    moderationState,
    publishedAt: isAnnounced ? now : null,
    ratingScore: 0,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  await storeAgent(tx, agent);
  await publish(tx, agent.ownerId, 'agent.created', agentEventData(agent, 1));
  if (isAnnounced) await publish(tx, agent.ownerId, 'agent.published', agentEventData(agent, 2));
  if (agent.isPublic) await submitAgent(tx, agent);
  return agent;
}

const insertAgent = {
  name: 'agent_insert',
  text: `
    insert into agents (id, owner_id, name, description, instructions, model, avatar_url, is_public, category, greeting_message,
      voice_id, event_sequence, created_at, updated_at, moderation_state, published_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, $15)`,
};

// Plain SQL, because an entity costs more than the rest of the operation. Sent with the commit, because the user's row
// stays locked until then.
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
    agent.moderationState,
    agent.publishedAt ?? null,
  ]);

const countAgents = {
  name: 'agents_count',
  text: `select count(*) as total from agents where owner_id = $1 and deleted_at is null`,
};

async function requireAgentCapacity(ctx: Ctx): Promise<void> {
  const userId = callerId(ctx);
  // Sent in this order on one connection, so the agents are counted under the lock.
  const [plan, [row]] = await Promise.all([
    lockPlan(ctx, userId),
    ctx.sql<{ total: number }>(countAgents, [userId]),
    requireStorage(ctx, 0),
  ]);
  const limit = ctx.catalog.planLimits.agents[plan];
  if ((row?.total ?? 0) >= limit) {
    throw new AppError('plan_limit_exceeded', {
      message: `Your plan allows ${limit} agents. Delete one or choose a larger plan.`,
    });
  }
}

/**
 * Condition: the agent is public. Agents of an account that is scheduled for deletion are hidden until it is restored.
 * `is not true` keeps the planner from a join, for which it would expect too few agents.
 */
export const isPublicSql = `a.is_public and (exists (
  select from users u where u.id = a.owner_id and u.deletion_requested_at is not null)) is not true`;

/** Returns the condition that the account `user` may use the agent: the same policy as `canUseAgent`. */
export const isUsableBy = (user: string): string =>
  `(a.owner_id = ${user} or (a.moderation_state in ('ok', 'held') and ${isPublicSql}))`;

/** Condition: the agent appears in lists. */
export const isListed = `a.moderation_state = 'ok' and ${isPublicSql}`;

/** Select list of an agent. Its message count includes rows that are not aggregated yet. */
export const agentColumns = columnsOf(Agent, 'a', {
  computed: {
    isPublic: `(${isPublicSql})`,
    messageCount:
      'a.message_count + coalesce((select sum(v.messages) from agent_activity v where v.agent_id = a.id), 0)::bigint',
  },
});

const selectAgent = {
  name: 'agent_get',
  text: `select ${agentColumns} from agents a where a.id = $1 and a.deleted_at is null and ${isOpenTo('a.owner_id', '$2')}`,
};

/**
 * Returns an agent that the caller may use.
 * @throws AppError `not_found`, also for a private agent of another user or when its owner blocks the caller
 */
export async function getAgent(ctx: Ctx, id: string): Promise<Agent> {
  const [agent] = isUuid(id) ? await ctx.sql<Agent>(selectAgent, [id, blockSubject(ctx)]) : [];
  if (!agent || !canUseAgent(ctx.actor, agent)) throw notFound();
  return agent;
}

const selectAgents = {
  name: 'agents_get',
  text: `select ${agentColumns} from agents a where a.id = any ($1) and a.deleted_at is null and ${isOpenTo('a.owner_id', '$2')}`,
};

/** Returns those of the agents that exist and that the caller may use, in any order. */
export async function agentsByIds(ctx: Ctx, ids: readonly string[]): Promise<Agent[]> {
  const agents = await ctx.sql<Agent>(selectAgents, [ids, blockSubject(ctx)]);
  return agents.filter((agent) => canUseAgent(ctx.actor, agent));
}

const agentId = { column: 'a.id', of: (agent: Agent) => agent.id };

const ownLists: Record<AgentSort, OrderedList<Agent>> = {
  created_at: ownList('created_at', { column: 'a.created_at', kind: 'time', of: (agent) => agent.createdAt }),
  updated_at: ownList('updated_at', { column: 'a.updated_at', kind: 'time', of: (agent) => agent.updatedAt }),
  name: ownList('name', { column: 'lower(a.name)', kind: 'text', of: (agent) => agent.name, ascends: true }),
};

function ownList(sort: AgentSort, key: OrderedList<Agent>['key']): OrderedList<Agent> {
  const from = 'agents a where a.owner_id = $1 and a.deleted_at is null';
  return orderedList({ name: `agents_list_${sort}`, columns: agentColumns, from, valueCount: 1, key, id: agentId });
}

/** Lists the caller's own agents, newest first or by name. @throws AppError `invalid_request` */
export async function listAgents(ctx: Ctx, input: unknown): Promise<Page<Agent>> {
  const { sort, ...page } = parseInput(listAgentsInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, ownLists[sort], values, page), page, countAgents, values);
}

// Also makes the agent private, so that the lists of public agents need not check `deleted_at`.
const markDeleted = {
  name: 'agent_mark_deleted',
  text: `
    update agents set deleted_at = now(), is_public = false, event_sequence = event_sequence + 1
    where id = $1 and owner_id = $2 and deleted_at is null
    returning event_sequence as sequence`,
};

/**
 * Deletes an agent with its conversations, including those of other users: hides them immediately and enqueues their
 * removal. Publishes `agent.deleted`.
 * @throws AppError `not_found`
 */
export async function deleteAgent(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  if (!isUuid(id)) throw notFound();
  const ownerId = callerId(ctx);
  await inTransaction(ctx, async (tx) => {
    const [deleted] = await tx.sql<{ sequence: number }>(markDeleted, [id, ownerId]);
    if (!deleted) throw notFound();
    await runAgentSteps(tx, id, ({ onAgentDeleted }) => onAgentDeleted);
    await enqueueTask(tx, 'agent.remove', { agentId: id }, { key: id, maxAttempts: 1_000 });
    await publish(tx, ownerId, 'agent.deleted', { id, sequence: deleted.sequence });
  });
  return { id, deleted: true };
}

/** Returns one of the caller's agents and locks it for a change. @throws AppError `not_found` */
export async function lockOwnAgent(ctx: Ctx, id: string): Promise<Agent> {
  const agent = isUuid(id)
    ? await ctx.em.findOne(Agent, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!agent || !owns(ctx.actor, agent.ownerId)) throw notFound();
  return agent;
}
