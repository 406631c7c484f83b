import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import type { GenerationEvent, StoredReply } from './generation-events.ts';
import { type GenerationState, isWithoutReply } from './generation-states.ts';
import type { ReplyTable } from './reply-table.ts';

export interface FollowOptions {
  /** Skip so many UTF-16 units of the reply. */
  from?: number;
  /** Only how it ends. */
  endOnly?: boolean;
  /**
   * Sends nothing of an attempt that is interrupted, or may be about to be, to a reader that has nothing of it yet, so
   * that the reader can be given another attempt.
   */
  withholdPartial?: boolean;
}

const pollMs = 150;
const orphanCheckEveryPolls = 7;

interface StoredGeneration {
  placeId: string;
  state: GenerationState;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  replyId: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Of a generation that ended without a reply. */
  partialText: string;
  /** Of a running generation: what has been checkpointed after the point read last. */
  more: string;
  isQuiet: boolean;
}

/**
 * Follows a generation through the database: one that runs on another instance, or is over. `from` is where the reader
 * began, `sent` how much of the reply it has by now, both in UTF-16 units.
 */
export async function* followStored<Stored extends StoredReply>(
  ctx: Ctx,
  table: ReplyTable<Stored>,
  generationId: string,
  from: number,
  options: FollowOptions,
  alreadySent = from,
): AsyncGenerator<GenerationEvent<Stored>, void, void> {
  let sent = alreadySent;
  const mayWithhold = () => options.withholdPartial === true && sent === from;
  for (let polls = 1, read = 0; ; polls++) {
    const [stored] = await ctx.sql<StoredGeneration>(table.readStored, [generationId, read]);
    if (!stored) return yield { type: 'error', code: 'cancelled', message: table.goneMessage };
    if (stored.state !== 'running') {
      const message = isWithoutReply(stored.state) ? null : await table.findMessage(ctx, stored.replyId);
      const unsent = message ? rest(message.content, from, sent) : mayWithhold() ? '' : stored.partialText.slice(sent);
      if (unsent && !options.endOnly) yield { type: 'delta', content: unsent, end: sent + unsent.length };
      return yield endEvent(stored, message);
    }
    const start = read;
    if (!stored.isQuiet || !mayWithhold()) read += stored.more.length;
    if (read > sent && !options.endOnly) {
      const content = stored.more.slice(Math.max(0, sent - start));
      sent = read;
      yield { type: 'delta', content, end: sent };
    }
    if (stored.isQuiet && polls % orphanCheckEveryPolls === 0)
      await table.interruptIfOrphaned(ctx, stored.placeId, generationId);
    await delay(pollMs);
  }
}

/** The part of a whole reply that the reader lacks. A starting point beyond its end is not of this reply. */
const rest = (reply: string, from: number, sent: number): string =>
  sent === from && from > reply.length ? reply : reply.slice(sent);

function endEvent<Stored extends StoredReply>(
  stored: StoredGeneration,
  message: Stored | null,
): GenerationEvent<Stored> {
  const { state, inputTokens, outputTokens } = stored;
  if (isWithoutReply(state)) {
    const code = stored.errorCode ?? 'internal_error';
    const text = stored.errorMessage ?? new AppError(code).message;
    return { type: 'error', code, message: text, isInterrupted: state === 'interrupted' };
  }
  const usage = inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens };
  return { type: 'done', message, stopped: state === 'stopped', usage };
}
