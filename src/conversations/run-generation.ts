import { setTimeout as delay } from 'node:timers/promises';
import type { ModelId } from '../core/models.ts';
import type { Ctx } from '../core/ctx.ts';
import { asUnavailable } from '../core/database-errors.ts';
import { AppError } from '../core/errors.ts';
import { readTogether } from '../core/sql.ts';
import { inTransaction } from '../core/transaction.ts';
import type { RetrievedChunk } from '../knowledge/relevant-chunks.ts';
import { passagesPerMessage, retrieve } from '../knowledge/retrieve.ts';
import { completeGeneration } from './complete-generation.ts';
import { recordFailure } from './fail-generation.ts';
import type { TokenUsage } from './follow-generation.ts';
import { lockConversation } from './lock-conversation.ts';
import { GenerationShutdown, type GenerationOutcome, type LiveGenerationWriter } from './live-generations.ts';
import { packPrompt } from './prompt.ts';
import { createReplySources, type ReplySources } from './reply-sources.ts';
import type { ChatTurn } from './language-model.ports.ts';

export interface GenerationJob {
  generationId: string;
  conversationId: string;
  userId: string;
  agentId: string;
  userMessageId: string;
  /** Of the user's message. */
  content: string;
  assistantMessageId: string;
}

/**
 * Writes the reply of an accepted generation in the background: streams it from the model into the live generation, then
 * stores how it ended. It never throws; whoever wants the reply follows the generation.
 */
export function runGeneration(ctx: Ctx, job: GenerationJob): void {
  const live = ctx.ports.generations.start(job.generationId);
  void write(ctx, job, live).then(
    (outcome) => live.finish(outcome),
    (error: unknown) => {
      ctx.log.error({ err: error, generationId: job.generationId }, 'a generation could not be settled');
      live.finish({ state: 'lost' });
    },
  );
}

async function write(ctx: Ctx, job: GenerationJob, live: LiveGenerationWriter): Promise<GenerationOutcome> {
  const sources = createReplySources();
  const complete = (state: 'complete' | 'stopped', usage: TokenUsage | null): Promise<GenerationOutcome> => {
    live.append(sources.end());
    const { text } = live;
    return settle(ctx, () => completeGeneration(ctx, job, { text, state, usage, citations: sources.cited(text) }));
  };
  try {
    const usage = await ctx.ports.generationQueue.run(job.userId, live.signal, () =>
      streamReply(ctx, job, live, sources),
    );
    return await complete('complete', usage);
  } catch (error) {
    if (!live.signal.aborted) return settle(ctx, () => fail(ctx, job, error));
    const reason: unknown = live.signal.reason;
    if (reason instanceof GenerationShutdown) return settle(ctx, () => fail(ctx, job, reason));
    return complete('stopped', null);
  }
}

async function streamReply(
  ctx: Ctx,
  job: GenerationJob,
  live: LiveGenerationWriter,
  sources: ReplySources,
): Promise<TokenUsage> {
  const { model, turns, given } = await loadPrompt(ctx, job, live.signal);
  sources.give(given);
  const request = { model: ctx.config.models[model], turns, signal: live.signal };
  const { usage } = await ctx.ports.languageModel.stream(request, (content) => live.append(sources.write(content)));
  if (live.text === '') throw new AppError('upstream_error', { message: 'The model answered nothing.' });
  return usage;
}

const settleForMs = 60_000;
const settlePauseMs = 500;

/** A reply that is written is stored even when PostgreSQL is away for a moment. */
async function settle(ctx: Ctx, store: () => Promise<GenerationOutcome>): Promise<GenerationOutcome> {
  const deadline = Date.now() + settleForMs;
  for (;;) {
    try {
      return await store();
    } catch (error) {
      const down = asUnavailable(error);
      if (!(down instanceof AppError) || Date.now() > deadline) throw error;
      ctx.log.warn({ err: error }, 'a generation could not be stored yet');
      await delay(settlePauseMs);
    }
  }
}

async function fail(ctx: Ctx, job: GenerationJob, error: unknown): Promise<GenerationOutcome> {
  const known = error instanceof AppError ? error : asUnavailable(error);
  const failure = known instanceof AppError ? known : new AppError('internal_error');
  if (failure !== error) ctx.log.error({ err: error, generationId: job.generationId }, 'a generation failed');
  const recorded = await inTransaction(ctx, async (tx) => {
    await lockConversation(tx, job.conversationId);
    return recordFailure(tx, job.generationId, 'failed', failure.code, failure.message);
  });
  return recorded ? { state: 'failed', code: failure.code, message: failure.message } : { state: 'lost' };
}

const readContext = {
  name: 'generation_context',
  text: `
    select a.model, a.instructions, s.content as summary
    from messages m left join conversation_summaries s on s.conversation_id = m.conversation_id
      join conversations c on c.id = m.conversation_id join agents a on a.id = c.agent_id
    where m.id = $1`,
};
const maxHistory = 200;
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

async function loadPrompt(
  ctx: Ctx,
  job: GenerationJob,
  signal: AbortSignal,
): Promise<{ model: ModelId; turns: ChatTurn[]; given: RetrievedChunk[] }> {
  const [[[row], history], retrieved] = await Promise.all([
    readTogether(ctx.pool, (sql) =>
      Promise.all([
        sql<PromptRow>(readContext, [job.userMessageId]),
        sql<ChatTurn>(readHistory, [job.conversationId, job.userMessageId]),
      ]),
    ),
    retrieve(ctx, job.agentId, job.content, { limit: passagesPerMessage, signal }),
  ]);
  if (!row) throw new AppError('not_found');
  const { turns, passages } = packPrompt({
    instructions: row.instructions,
    summary: row.summary,
    retrieved: retrieved.map(({ filename, place, content }) => ({
      source: place ? `${filename}, ${place}` : filename,
      content,
    })),
    history: history.reverse(),
    message: job.content,
    model: ctx.config.models[row.model],
  });
  return { model: row.model, turns, given: retrieved.slice(0, passages) };
}
