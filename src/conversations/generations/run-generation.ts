import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { AppError } from '../../core/errors.ts';
import { lockConversation } from '../lock-conversation.ts';
import { loadPrompt } from '../prompt/load-prompt.ts';
import { completeGeneration } from './complete-generation.ts';
import { failGenerations } from './fail-generation.ts';
import type { AfterReply, GenerationJob } from './generation-job.ts';
import type { GenerationOutcome } from '../replies/live-generation.ts';
import { writeReply } from '../replies/write-reply.ts';

/** Writes the reply of an accepted generation in the background and stores its outcome. Never throws. */
export function runGeneration(ctx: Ctx, job: GenerationJob): void {
  let after: AfterReply = { title: true, summary: true };
  writeReply(ctx, ctx.ports.generations, {
    id: job.generationId,
    account: job.userId,
    async load(signal) {
      const loaded = await loadPrompt(ctx, job, signal);
      after = loaded.after;
      return loaded.prompt;
    },
    complete: (reply) => completeGeneration(ctx, job, reply, after),
    fail: (failure, partialText) => fail(ctx, job, failure, partialText),
  });
}

async function fail(
  ctx: Ctx,
  job: GenerationJob,
  { code, message, retryAfterSeconds }: AppError,
  partialText: string,
): Promise<GenerationOutcome> {
  const { ended, brokenReplies } = await inTransaction(ctx, async (tx) => {
    await lockConversation(tx, job.conversationId);
    return failGenerations(tx, [{ id: job.generationId, userId: job.userId }], {
      state: 'failed',
      code,
      message,
      partialText,
      retryAfterSeconds,
    });
  });
  if (ended.length === 0) return { state: 'lost' };
  return { state: 'failed', code, message, retryAfterSeconds, brokenId: brokenReplies[0] ?? null };
}
