import type { z } from 'zod';
import { callerId } from '../../accounts/caller.ts';
import { lockPlan } from '../../accounts/plan.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { requireOwnAgent } from '../../knowledge/own-agent.ts';
import type { Citation } from '../../knowledge/retrieval/citations.ts';
import { lastUserTurn } from '../prompt/load-prompt.ts';
import { passagesPerMessage, retrieve } from '../../knowledge/retrieval/retrieve.ts';
import { followLive } from '../replies/follow-live.ts';
import type { GenerationEvent, GenerationEvents } from '../replies/generation-events.ts';
import { generationTable } from '../generations/generation-table.ts';
import { createLiveGeneration, type LiveGenerationWriter } from '../replies/live-generation.ts';
import { type ReplyEnding, streamReply } from '../replies/stream-reply.ts';
import { reserveMessage, utcDay } from '../messages/quota.ts';
import { returnCharges } from '../messages/refunds.ts';
import { preparePrompt } from '../prompt/prepare-prompt.ts';
import { createReplySources } from '../prompt/reply-sources.ts';
import { previewInput } from './preview.input.ts';
import { takePreviewSlot } from './preview-slots.ts';

type PreviewRequest = z.output<typeof previewInput>;
type PreviewDone = ReplyEnding & { type: 'done'; citations: Citation[] };
export type PreviewEvent = Exclude<GenerationEvent, { type: 'done' }> | PreviewDone;

/**
 * Writes the reply of an agent that is not saved, without storing it. It is charged and written like any other message,
 * with the documents of `agentId` if given. It ends when `left` is aborted. A preview that fails, or whose reader
 * leaves before the first piece, is refunded within the daily limit of refunds; a preview that is lost with its process
 * is not.
 * @throws AppError `invalid_request`, `not_found` unless `agentId` is the caller's own, `rate_limited`
 */
export async function previewReply(
  ctx: Ctx,
  input: unknown,
  left: AbortSignal,
): Promise<AsyncIterableIterator<PreviewEvent, void, void>> {
  const request = parseInput(previewInput, input);
  const userId = callerId(ctx);
  if (request.agentId) await requireOwnAgent(ctx, request.agentId);
  const release = takePreviewSlot(userId);
  const now = ctx.clock.now();
  try {
    await inTransaction(ctx, async (tx) => reserveMessage(tx, userId, await lockPlan(tx, userId), now));
  } catch (error) {
    release();
    throw error;
  }
  const live = createLiveGeneration({ id: newId('gen_'), account: userId }, left, release);
  const charge = { userId, quotaDay: utcDay(now) };
  const end = write(ctx.ports.background(), request, userId, live).catch(async (error: unknown) => {
    if (live.text === '' || !live.signal.aborted) await giveBack(ctx.ports.background(), charge);
    finishFailed(ctx, live, error);
    return null;
  });
  return follow(followLive(ctx, generationTable, live, {}), end);
}

async function write(
  ctx: Ctx,
  { agent, messages, agentId }: PreviewRequest,
  userId: string,
  live: LiveGenerationWriter,
): Promise<PreviewDone> {
  const sources = createReplySources();
  const message = messages.at(-1)?.content ?? '';
  const { model, instructions } = agent;
  const ending = await ctx.ports.generationQueue.run(userId, live.signal, async () => {
    const { signal } = live;
    const history = messages.slice(0, -1);
    const previous = lastUserTurn(history.toReversed());
    const options = { limit: passagesPerMessage, previous, signal };
    const retrieved = agentId ? await retrieve(ctx, agentId, message, options) : [];
    const prompt = preparePrompt(ctx, { model, instructions, summary: null, retrieved, history, message });
    return streamReply(ctx, prompt, live, sources);
  });
  live.finish({ state: 'complete', message: null, usage: ending.usage });
  return { type: 'done', ...ending, citations: sources.cited(live.text) };
}

async function giveBack(ctx: Ctx, charge: { userId: string; quotaDay: string }): Promise<void> {
  await inTransaction(ctx, (tx) => returnCharges(tx, [{ ...charge, id: null }], 'failed')).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'could not return the charge of a preview'),
  );
}

function finishFailed(ctx: Ctx, live: LiveGenerationWriter, error: unknown): void {
  const failure = error instanceof AppError ? error : new AppError('internal_error');
  if (failure !== error && !live.signal.aborted) ctx.log.error({ err: error }, 'a preview failed');
  const { code, message, retryAfterSeconds } = failure;
  live.finish({ state: 'failed', code, message, retryAfterSeconds });
}

/** Returns the events of the preview for its only reader. Hand-written for the same reason as `followLive`. */
function follow(
  events: GenerationEvents,
  end: Promise<PreviewDone | null>,
): AsyncIterableIterator<PreviewEvent, void, void> {
  const preview: AsyncIterableIterator<PreviewEvent, void, void> = {
    [Symbol.asyncIterator]: () => preview,
    async next() {
      const next = await events.next();
      if (next.done || next.value.type !== 'done') return next as IteratorResult<PreviewEvent, void>;
      const done = await end;
      return done ? { value: done, done: false } : { value: undefined, done: true };
    },
    async return() {
      await events.return?.();
      return { value: undefined, done: true };
    },
  };
  return preview;
}
