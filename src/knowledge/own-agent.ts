import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { ownsKnowledge } from './knowledge.policy.ts';

const readOwner = { name: 'knowledge_agent', text: `select owner_id as "ownerId" from agents where id = $1` };
const lockOwner = { name: 'knowledge_agent_lock', text: `${readOwner.text} for key share` };

/** @throws AppError `not_found` unless the agent is the caller's own */
export async function requireOwnAgent(ctx: Ctx, agentId: string): Promise<void> {
  if (!(await isOwnAgent(ctx, agentId))) throw notFound();
}

export const isOwnAgent = (ctx: Ctx, agentId: string): Promise<boolean> => owns(ctx, agentId, readOwner);

/** Like `requireOwnAgent`, and the agent stays until the transaction ends. */
export async function lockOwnAgent(ctx: Ctx, agentId: string): Promise<void> {
  if (!(await owns(ctx, agentId, lockOwner))) throw notFound();
}

async function owns(ctx: Ctx, agentId: string, statement: typeof readOwner): Promise<boolean> {
  const [agent] = isId('agent', agentId) ? await ctx.sql<{ ownerId: string }>(statement, [agentId]) : [];
  return agent !== undefined && ownsKnowledge(ctx.actor, agent);
}
