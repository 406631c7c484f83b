import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../../core/ctx.ts';
import { asUnavailable } from '../../core/database/database-errors.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import { lockConversation } from '../lock-conversation.ts';
import { loadPrompt } from '../prompt/load-prompt.ts';
import { createReplySources } from '../prompt/reply-sources.ts';
import { completeGeneration, type WrittenReply } from './complete-generation.ts';
import { failGenerations } from './fail-generation.ts';
import type { GenerationJob } from './generation-job.ts';
import type { GenerationOutcome, LiveGenerationWriter } from './live-generation.ts';
import { GenerationShutdown } from './live-generations.ts';
import { type ReplyEnding, streamReply } from './stream-reply.ts';

/**
 * Writes the reply of an accepted generation in the background: streams it from the model into the live generation, then
 * stores how it ended. Never throws; readers follow the generation.
 */
export function runGeneration(ctx: Ctx, job: GenerationJob): void {
  const live = ctx.ports.generations.start(job.generationId);
  void write(ctx, job, live).then(
    (outcome) => live.finish(outcome),
    (error: unknown) => {
      ctx.log.error({ err: error, generationId: job.generationId }, 'could not store how a generation ended');
      live.finish({ state: 'lost' });
    },
  );
}

type Ending = ReplyEnding & Pick<WrittenReply, 'state'>;

async function write(ctx: Ctx, job: GenerationJob, live: LiveGenerationWriter): Promise<GenerationOutcome> {
  const sources = createReplySources();
  const complete = (ending: Ending): Promise<GenerationOutcome> => {
    const { text, firstWordsMs } = live;
    const reply = { ...ending, text, firstWordsMs, citations: sources.cited(text) };
    return settle(ctx, () => completeGeneration(ctx, job, reply));
  };
  try {
    const ending = await ctx.ports.generationQueue.run(job.userId, live.signal, async () =>
      streamReply(ctx, await loadPrompt(ctx, job, live.signal), live, sources),
    );
    return await complete({ ...ending, state: 'complete' });
  } catch (error) {
    if (!live.signal.aborted) return settle(ctx, () => fail(ctx, job, live.text, error));
    const reason: unknown = live.signal.reason;
    if (reason instanceof GenerationShutdown) return settle(ctx, () => fail(ctx, job, live.text, reason));
    live.append(sources.end());
    return complete({ state: 'stopped', usage: null, truncated: false });
  }
}

const settleForMs = 60_000;
const settlePauseMs = 500;

/** Retries for a minute while PostgreSQL is unavailable, so that a written reply is not lost. */
async function settle(ctx: Ctx, store: () => Promise<GenerationOutcome>): Promise<GenerationOutcome> {
  const deadlineMs = performance.now() + settleForMs;
  for (;;) {
    try {
      return await store();
    } catch (error) {
      const down = asUnavailable(error);
      if (!(down instanceof AppError) || performance.now() > deadlineMs) throw error;
      ctx.log.warn({ err: error }, 'could not store how a generation ended, will retry');
      await delay(settlePauseMs);
    }
  }
}

async function fail(ctx: Ctx, job: GenerationJob, partialText: string, error: unknown): Promise<GenerationOutcome> {
  const known = error instanceof AppError ? error : asUnavailable(error);
  const failure = known instanceof AppError ? known : new AppError('internal_error');
  if (failure !== error) ctx.log.error({ err: error, generationId: job.generationId }, 'a generation failed');
  const { code, message } = failure;
  const failed = await inTransaction(ctx, async (tx) => {
    await lockConversation(tx, job.conversationId);
    return failGenerations(tx, [job.generationId], { state: 'failed', code, message, partialText });
  });
  return failed.length > 0 ? { state: 'failed', code, message } : { state: 'lost' };
}
