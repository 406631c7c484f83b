import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { type Analytics, readAnalytics } from './analytics.ts';
import { onReplica } from '../../core/database/replica.ts';

/** The use of an agent in a period. Both numbers are public. */
export interface AgentUse {
  agentId: string;
  name: string;
  conversations: number;
  messages: number;
}

const shownAgents = 20;
/** Maximum number of agents in the account's figures; the most used are included. */
const maxAgents = 1_000;

const listAgents = {
  name: 'studio_agents',
  text: `
    select id from agents where owner_id = $1 and deleted_at is null order by message_count desc, id limit ${maxAgents}`,
};
const listUse = {
  name: 'studio_agents_use',
  text: `
    select a.id as "agentId", a.name, sum(d.conversations)::integer as conversations, sum(d.messages)::integer as messages
    from agent_days d join agents a on a.id = d.agent_id
    where d.agent_id = any ($1) and d.day between $2 and $3
    group by a.id order by messages desc, a.id limit ${shownAgents}`,
};

/**
 * Returns the joint figures of the caller's agents, and the 20 most used of them. Reads from a replica if there is one.
 * @throws AppError `invalid_request`, `plan_limit_exceeded`
 */
export const getAccountAnalytics = onReplica(
  async (ctx: Ctx, input: unknown): Promise<Analytics & { agents: AgentUse[] }> => {
    const agents = await ctx.sql<{ id: string }>(listAgents, [callerId(ctx)]);
    const ids = agents.map(({ id }) => id);
    const analytics = await readAnalytics(ctx, null, ids, input);
    const use = await ctx.sql<AgentUse>(listUse, [ids, analytics.from, analytics.to]);
    return { ...analytics, agents: use };
  },
);
