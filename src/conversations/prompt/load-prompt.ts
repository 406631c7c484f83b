import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import type { ModelId } from '../../agents/models.ts';
import type { Ctx } from '../../core/ctx.ts';
import { gatheredSql } from '../../core/database/sql.ts';
import { AppError } from '../../core/errors.ts';
import { hasReadyDocument, passagesPerMessage, search } from '../../knowledge/retrieval/retrieve.ts';
import { markedContent } from '../messages/messages.ts';
import type { AfterReply, GenerationJob } from '../generations/generation-job.ts';
import type { ChatTurn } from './language-model.ports.ts';
import { maxHistory, preparePrompt, type ReplyPrompt } from './prepare-prompt.ts';
import { mayNeedSummary } from './summaries.ts';
import { awaitsTitle } from './titles.ts';

// The first row describes the agent; the others are the history, newest first.
const readPrompt = {
  name: 'generation_prompt',
  text: `
    select null as role, coalesce(v.instructions, a.instructions) as content, coalesce(v.model, a.model) as model,
      s.content as summary, ${awaitsTitle('c')} as "awaitsTitle", ${hasReadyDocument('a.id')} as "hasDocuments"
    from generations g left join conversation_summaries s on s.conversation_id = g.conversation_id
      join conversations c on c.id = g.conversation_id join agents a on a.id = c.agent_id
      left join agent_versions v on v.id = g.version_id
    where g.id = $1 and g.user_id = $4
    union all
    (select role, ${markedContent('m')}, null, null, null, null from messages m where conversation_id = $2 and ${ofAccountUnindexed('user_id', '$4')} and active
      and position < (select position from messages where id = $3 and user_id = $4)
      and position > coalesce((select through_position from conversation_summaries where conversation_id = $2), 0)
    order by position desc limit ${maxHistory})`,
};

interface AgentRow {
  role: null;
  /** Instructions of the agent. */
  content: string;
  model: ModelId;
  summary: string | null;
  awaitsTitle: boolean;
  hasDocuments: boolean;
}

/** Returns the newest message of the user. @param history newest first */
export const lastUserTurn = (history: readonly ChatTurn[]): string | null =>
  history.find(({ role }) => role === 'user')?.content ?? null;

/**
 * Loads the prompt for the reply to a message: the instructions of the version that the generation uses, the history of
 * the active branch and the passages of the agent's documents that are relevant to the message.
 * @throws AppError `not_found`, `context_length_exceeded`
 */
export async function loadPrompt(
  ctx: Ctx,
  job: GenerationJob,
  signal: AbortSignal,
): Promise<{ prompt: ReplyPrompt; after: AfterReply }> {
  const { generationId, conversationId, userMessageId, userId, agentId, content: message } = job;
  const values = [generationId, conversationId, userMessageId, userId];
  const rows = await gatheredSql(ctx.pool)<AgentRow | ChatTurn>(readPrompt, values);
  const agent = rows.find((row) => row.role === null);
  if (!agent) throw new AppError('not_found');
  const history = rows.filter((row) => row.role !== null);
  const options = { limit: passagesPerMessage, previous: lastUserTurn(history), signal };
  const retrieved = agent.hasDocuments ? await search(ctx, agentId, message, options) : [];
  const { model, content: instructions, summary } = agent;
  return {
    prompt: preparePrompt(ctx, { model, instructions, summary, retrieved, history: history.toReversed(), message }),
    after: { title: agent.awaitsTitle, summary: mayNeedSummary(history.length) },
  };
}
