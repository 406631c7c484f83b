import { owns } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import type { Statement } from '../core/database/sql.ts';

// SQL instead of the EntityManager: the check is on the measured path of a knowledge query, and another statement locks
// rows.
const readOwner = {
  name: 'knowledge_agent',
  text: `select owner_id as "ownerId" from agents where id = $1 and deleted_at is null`,
};
const readOwnerAndReady = {
  name: 'knowledge_agent_ready',
  text: `
    select owner_id as "ownerId", exists (select from documents where agent_id = agents.id and status = 'ready') as "hasReady"
    from agents where id = $1 and deleted_at is null`,
};
const lockOwner = { name: 'knowledge_agent_lock', text: `${readOwner.text} for key share` };

interface OwnAgent {
  ownerId: string;
}

/**
 * Requires that the agent belongs to the caller.
 * @throws AppError `not_found`
 */
export async function requireOwnAgent(ctx: Ctx, agentId: string): Promise<void> {
  await requireOwn(ctx, agentId, readOwner);
}

/** Does the same as `requireOwnAgent` and returns whether the agent has a ready document. */
export async function requireOwnAgentReady(ctx: Ctx, agentId: string): Promise<boolean> {
  return (await requireOwn<OwnAgent & { hasReady: boolean }>(ctx, agentId, readOwnerAndReady)).hasReady;
}

/** Returns whether the agent exists and belongs to the caller. */
export const isOwnAgent = async (ctx: Ctx, agentId: string): Promise<boolean> =>
  (await findOwn(ctx, agentId, readOwner)) !== null;

/** Does the same as `requireOwnAgent` and prevents deletion of the agent until the transaction ends. */
export async function lockOwnAgent(ctx: Ctx, agentId: string): Promise<void> {
  await requireOwn(ctx, agentId, lockOwner);
}

async function requireOwn<Row extends OwnAgent>(ctx: Ctx, agentId: string, statement: Statement): Promise<Row> {
  const agent = await findOwn<Row>(ctx, agentId, statement);
  if (!agent) throw notFound();
  return agent;
}

async function findOwn<Row extends OwnAgent>(ctx: Ctx, agentId: string, statement: Statement): Promise<Row | null> {
  const [agent] = isUuid(agentId) ? await ctx.sql<Row>(statement, [agentId]) : [];
  return agent && owns(ctx.actor, agent.ownerId) ? agent : null;
}
