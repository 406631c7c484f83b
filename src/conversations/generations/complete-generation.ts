import type { Ctx } from '../../core/ctx.ts';
import { retryTransient } from '../../core/database/database-errors.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { returnCharges } from '../messages/refunds.ts';
import { requestSummary } from '../prompt/summaries.ts';
import { requestTitle } from '../prompt/titles.ts';
import type { AfterReply, GenerationJob } from './generation-job.ts';
import { dropCheckpoints, stopUnwritten } from './generation-states.ts';
import type { GenerationOutcome } from '../replies/live-generation.ts';
import { storeReply } from './store-reply.ts';
import type { WrittenReply } from '../replies/write-reply.ts';

/**
 * Stores the reply and ends its generation in one transaction. Returns `lost` when this instance no longer holds the
 * generation. A generation that was stopped before anything was written leaves no message, and its charge is refunded.
 */
export async function completeGeneration(
  ctx: Ctx,
  job: GenerationJob,
  reply: WrittenReply,
  after: AfterReply,
): Promise<GenerationOutcome> {
  const { generationId, conversationId } = job;
  const { state, usage } = reply;
  const hasCheckpoints = ctx.ports.generations.endCheckpoints(generationId);
  if (reply.text === '') {
    return inTransaction(ctx, async (tx) => {
      const stopped = await stopUnwritten(tx, job);
      if (!stopped) return { state: 'lost' };
      await returnCharges(tx, [{ ...stopped, id: generationId }], 'stopped');
      return { state, message: null, usage };
    });
  }
  const steps = [
    ...(hasCheckpoints ? [(tx: Ctx) => dropCheckpoints(tx, generationId)] : []),
    ...(after.title ? [(tx: Ctx) => requestTitle(tx, conversationId)] : []),
    // A regenerated reply can need a new summary, because the summary depends on the branch.
    ...(after.summary || job.isRegeneration ? [(tx: Ctx) => requestSummary(tx, job)] : []),
  ];
  const store = async (tx: Ctx): Promise<GenerationOutcome> => {
    const message = await storeReply(tx, job, reply);
    if (!message) return { state: 'lost' };
    await Promise.all(steps.map((step) => step(tx)));
    return { state, message, usage };
  };
  return steps.length > 0 ? inTransaction(ctx, store) : retryTransient(() => store(ctx));
}
