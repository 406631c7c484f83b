import type { Ctx } from '../../core/ctx.ts';
import { type Attempt, readAttempt } from './attempt-reader.ts';
import { AppError } from '../../core/errors.ts';
import type { GenerationEvent, StoredReply } from './generation-events.ts';
import { isWithoutReply } from './generation-state.ts';
import type { AttemptKey } from './reply-statements.ts';
import type { ReplyTable } from './reply-table.ts';

export interface FollowOptions {
  /** Number of UTF-16 code units of the reply to skip. */
  from?: number;
  /** Yields only the outcome. */
  endOnly?: boolean;
  /**
   * Withholds the text of an attempt that is or may be interrupted from a reader that has none of it yet, so that the
   * reader can switch to another attempt.
   */
  withholdPartial?: boolean;
}

/**
 * Follows a generation through the database, when it runs on another instance or has ended. `from` is the position at
 * which the reader began, and `alreadySent` the length of the reply that it has received, both in UTF-16 code units.
 */
export async function* followStored<Stored extends StoredReply>(
  ctx: Ctx,
  table: ReplyTable<Stored>,
  key: AttemptKey,
  from: number,
  options: FollowOptions,
  alreadySent = from,
): AsyncGenerator<GenerationEvent<Stored>, void, void> {
  let sent = alreadySent;
  const mayWithhold = () => options.withholdPartial === true && sent === from;
  const reader = readAttempt(ctx, table, key);
  try {
    for (;;) {
      const stored = await reader.next();
      if (!stored) return yield { type: 'error', code: 'cancelled', message: table.goneMessage };
      const { message, text } = stored;
      if (stored.state !== 'running') {
        const partial = mayWithhold() ? '' : stored.partialText.slice(sent);
        const whole = isWithoutReply(stored.state) ? null : message;
        const unsent = whole ? rest(whole.content, from, sent) : partial;
        const end = whole ? whole.content.length : sent + unsent.length;
        if (unsent && !options.endOnly) yield { type: 'delta', content: unsent, end };
        return yield endEvent(stored);
      }
      if (options.endOnly || text.length <= sent || (stored.isQuiet && mayWithhold())) continue;
      const content = text.slice(sent);
      sent = text.length;
      yield { type: 'delta', content, end: sent };
    }
  } finally {
    reader.leave();
  }
}

/**
 * Returns the part of a complete reply that the reader has not received. A start position beyond its end belongs to
 * another reply.
 */
const rest = (reply: string, from: number, sent: number): string =>
  sent === from && from > reply.length ? reply : reply.slice(sent);

function endEvent<Stored extends StoredReply>(attempt: Attempt<Stored>): GenerationEvent<Stored> {
  const { state, message, inputTokens, outputTokens } = attempt;
  if (isWithoutReply(state)) {
    const code = attempt.errorCode ?? 'internal_error';
    const text = attempt.errorMessage ?? new AppError(code).message;
    const retryAfterSeconds = attempt.retryAfterSeconds ?? undefined;
    const isInterrupted = state === 'interrupted';
    return { type: 'error', code, message: text, retryAfterSeconds, brokenId: message?.id ?? null, isInterrupted };
  }
  const usage = inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens };
  return { type: 'done', message, stopped: state === 'stopped', usage };
}
