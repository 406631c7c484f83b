import type { Ctx } from '../../core/ctx.ts';
import { parseInput } from '../../core/input.ts';
import { queryKnowledgeInput } from '../knowledge.input.ts';
import { requireOwnAgentReady } from '../own-agent.ts';
import type { RetrievedChunk } from './relevant-chunks.ts';
import { search } from './retrieve.ts';

/** Returns the passages that a conversation with the agent would receive for this message. @throws AppError `not_found`, `invalid_request` */
export async function queryKnowledge(
  ctx: Ctx,
  agentId: string,
  input: unknown,
): Promise<{ query: string; results: RetrievedChunk[] }> {
  const { query, limit } = parseInput(queryKnowledgeInput, input);
  const hasReady = await requireOwnAgentReady(ctx, agentId);
  return { query, results: hasReady ? await search(ctx, agentId, query, { limit }) : [] };
}
