import type { Ctx } from '../core/ctx.ts';

const count = {
  name: 'documents_of_agents',
  text: `
    select a.id as "agentId", (
      select count(*) from documents d where d.agent_id = a.id and d.status <> 'failed'
    )::integer as documents
    from agents a where a.id = any ($1) and a.owner_id = $2`,
};

/** Returns the number of documents of each agent, not counting failed ones. Reads only agents of the caller. */
export const documentCountsOf = (
  ctx: Ctx,
  agentIds: readonly string[],
): Promise<{ agentId: string; documents: number }[]> =>
  ctx.sql(count, [agentIds, ctx.actor.kind === 'user' ? ctx.actor.userId : null]);
