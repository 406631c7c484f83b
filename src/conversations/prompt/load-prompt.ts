import type { ModelId } from '../../agents/models.ts';
import type { Ctx } from '../../core/ctx.ts';
import { readTogether } from '../../core/database/sql.ts';
import { AppError } from '../../core/errors.ts';
import { passagesPerMessage, retrieve } from '../../knowledge/retrieval/retrieve.ts';
import type { GenerationJob } from '../generations/generation-job.ts';
import type { ChatTurn } from './language-model.ports.ts';
import { maxHistory, preparePrompt, type ReplyPrompt } from './prepare-prompt.ts';

const readContext = {
  name: 'generation_context',
  text: `
    select coalesce(v.model, a.model) as model, coalesce(v.instructions, a.instructions) as instructions, s.content as summary
    from generations g left join conversation_summaries s on s.conversation_id = g.conversation_id
      join conversations c on c.id = g.conversation_id join agents a on a.id = c.agent_id
      left join agent_versions v on v.id = g.version_id
    where g.id = $1`,
};
const readHistory = {
  name: 'generation_history',
  text: `
    select role, content from messages where conversation_id = $1 and active
      and position < (select position from messages where id = $2)
      and position > coalesce((select through_position from conversation_summaries where conversation_id = $1), 0)
    order by position desc limit ${maxHistory}`,
};

interface PromptRow {
  model: ModelId;
  instructions: string;
  summary: string | null;
}

/** @param history newest first */
export const lastUserTurn = (history: readonly ChatTurn[]): string | null =>
  history.find(({ role }) => role === 'user')?.content ?? null;

/**
 * Reads what the model is given to answer a message: the instructions of the version that the generation names, the history of the active branch and what
 * its documents say about the message. @throws AppError `not_found`, `context_length_exceeded`
 */
export async function loadPrompt(ctx: Ctx, job: GenerationJob, signal: AbortSignal): Promise<ReplyPrompt> {
  const reading = readTogether(ctx.pool, (sql) =>
    Promise.all([
      sql<PromptRow>(readContext, [job.generationId]),
      sql<ChatTurn>(readHistory, [job.conversationId, job.userMessageId]),
    ]),
  );
  const previous = reading.then(([, history]) => lastUserTurn(history));
  const [[[row], history], retrieved] = await Promise.all([
    reading,
    retrieve(ctx, job.agentId, job.content, { limit: passagesPerMessage, previous, signal }),
  ]);
  if (!row) throw new AppError('not_found');
  return preparePrompt(ctx, { ...row, retrieved, history: history.toReversed(), message: job.content });
}
