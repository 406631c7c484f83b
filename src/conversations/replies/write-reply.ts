import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../../core/ctx.ts';
import { asUnavailable } from '../../core/database/database-errors.ts';
import { AppError } from '../../core/errors.ts';
import { isBlank } from '../../core/is-blank.ts';
import type { Citation } from '../../knowledge/retrieval/citations.ts';
import type { ReplyPrompt } from '../prompt/prepare-prompt.ts';
import { createReplySources } from '../prompt/reply-sources.ts';
import type { StoredReply } from './generation-events.ts';
import type { GenerationOutcome, LiveGenerationWriter } from './live-generation.ts';
import { GenerationShutdown, type LiveGenerations } from './live-generations.ts';
import { type ReplyEnding, type ReplyShape, shaped, streamReply } from './stream-reply.ts';

export interface WrittenReply extends ReplyEnding {
  text: string;
  state: 'complete' | 'stopped';
  /** Milliseconds from the start to the first text; null when nothing was written. */
  firstWordsMs: number | null;
  citations: readonly Citation[];
}

/** An accepted attempt to reply: how to load its prompt and how to store its outcome. */
export interface ReplyWork<Stored extends StoredReply> {
  id: string;
  /** Account for the limit of concurrent replies. */
  account: string;
  /** Ends the reply early and removes text from it. When omitted, the whole reply is kept. */
  shape?: ReplyShape;
  /** Loads the prompt. @throws AppError when there is none */
  load(signal: AbortSignal): Promise<ReplyPrompt>;
  complete(reply: WrittenReply): Promise<GenerationOutcome<Stored>>;
  fail(failure: AppError, partialText: string): Promise<GenerationOutcome<Stored>>;
}

/**
 * Writes a reply in the background: streams it from the model into a live generation, then stores the outcome. Never
 * throws; readers follow the attempt.
 */
export function writeReply<Stored extends StoredReply>(
  ctx: Ctx,
  generations: LiveGenerations<Stored>,
  work: ReplyWork<Stored>,
): void {
  const live = generations.start(work.id, work.account);
  void write(ctx, work, live).then(
    (outcome) => live.finish(outcome),
    (error: unknown) => {
      ctx.log.error({ err: error, generationId: work.id }, 'could not store how a generation ended');
      live.finish({ state: 'lost' });
    },
  );
}

type Ending = ReplyEnding & Pick<WrittenReply, 'state'>;

async function write<Stored extends StoredReply>(
  ctx: Ctx,
  work: ReplyWork<Stored>,
  live: LiveGenerationWriter<Stored>,
): Promise<GenerationOutcome<Stored>> {
  const sources = createReplySources();
  const complete = (ending: Ending): Promise<GenerationOutcome<Stored>> => {
    const text = shownBy(live);
    const { firstWordsMs } = live;
    const reply = { ...ending, text, firstWordsMs, citations: sources.cited(text) };
    return settle(ctx, () => work.complete(reply));
  };
  const fail = (error: unknown): Promise<GenerationOutcome<Stored>> =>
    settle(ctx, () => work.fail(failureOf(ctx, work.id, error), shownBy(live)));
  try {
    const ending = await ctx.ports.generationQueue.run(work.account, live.signal, async () =>
      streamReply(ctx, await work.load(live.signal), live, sources, work.shape),
    );
    return await complete({ ...ending, state: 'complete' });
  } catch (error) {
    if (!live.signal.aborted) return fail(error);
    const reason: unknown = live.signal.reason;
    if (reason instanceof GenerationShutdown) return fail(reason);
    live.append(shaped(sources.end(), work.shape));
    return complete({ state: 'stopped', usage: null, truncated: false });
  }
}

/** Returns the text of a reply, or '' if it shows nothing to a reader. */
const shownBy = ({ text }: { text: string }): string => (isBlank(text) ? '' : text);

const settleForMs = 60_000;
const settlePauseMs = 500;

/** Retries for a minute while PostgreSQL is unavailable, so that a written reply is not lost. */
async function settle<Outcome>(ctx: Ctx, store: () => Promise<Outcome>): Promise<Outcome> {
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

function failureOf(ctx: Ctx, generationId: string, error: unknown): AppError {
  const known = asUnavailable(error);
  if (known instanceof AppError) {
    if (known !== error)
      ctx.log.warn({ err: error, generationId }, 'could not store the failure of a generation: database unavailable');
    else if (known.cause !== undefined) ctx.log.warn({ err: known, generationId }, 'the model provider failed');
    return known;
  }
  ctx.log.error({ err: error, generationId }, 'a generation failed');
  return new AppError('internal_error');
}
