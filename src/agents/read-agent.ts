import type { Ctx } from '../core/ctx.ts';
import { isUuid } from '../core/ids.ts';
import type { Agent } from './agent.entity.ts';
import { agentColumns } from './agents.ts';

const select = {
  name: 'agent_read',
  text: `select ${agentColumns} from agents a where a.id = $1 and a.deleted_at is null`,
};

/**
 * Returns an agent for moderators and background work; null when it does not exist. Performs no authorization check.
 */
export async function readAgent(ctx: Ctx, id: string): Promise<Agent | null> {
  const [agent] = isUuid(id) ? await ctx.sql<Agent>(select, [id]) : [];
  return agent ?? null;
}
