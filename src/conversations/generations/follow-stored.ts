import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import type { Message } from '../messages/message.entity.ts';
import { findMessageById } from '../messages/messages.ts';
import type { GenerationEvent } from './generation-events.ts';
import { type GenerationState, isWithoutReply } from './generation-states.ts';
import { interruptIfOrphaned } from './interrupt-generation.ts';

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
/** An instance that missed two heartbeats may be dead. */
const quietSeconds = 5;

interface StoredGeneration {
  conversationId: string;
  state: GenerationState;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  assistantMessageId: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Of a generation that ended without a reply. */
  partialText: string;
  /** Of a running generation: what has been checkpointed after the point read last. */
  more: string;
  isQuiet: boolean;
}

const readStored = {
  name: 'generation_follow',
  text: `
    select g.conversation_id as "conversationId", g.state, g.error_code as "errorCode", g.error_message as "errorMessage",
      g.assistant_message_id as "assistantMessageId", g.input_tokens as "inputTokens", g.output_tokens as "outputTokens",
      coalesce(g.partial_text, '') as "partialText", coalesce((
        select string_agg(d.content, '' order by d.position) from generation_deltas d
        where d.generation_id = g.id and d.position >= $2), '') as more, not exists (
        select 1 from instances i
        where i.id = g.instance_id and i.heartbeat_at > now() - interval '${quietSeconds} seconds') as "isQuiet"
    from generations g where g.id = $1`,
};

/**
 * Follows a generation through the database: one that runs on another instance, or is over. `from` is where the reader
 * began, `sent` how much of the reply it has by now, both in UTF-16 units.
 */
export async function* followStored(
  ctx: Ctx,
  generationId: string,
  from: number,
  options: FollowOptions,
  alreadySent = from,
): AsyncGenerator<GenerationEvent, void, void> {
  let sent = alreadySent;
  const mayWithhold = () => options.withholdPartial === true && sent === from;
  for (let polls = 1, read = 0; ; polls++) {
    const [stored] = await ctx.sql<StoredGeneration>(readStored, [generationId, read]);
    if (!stored) return yield { type: 'error', code: 'cancelled', message: 'The conversation was deleted.' };
    if (stored.state !== 'running') {
      const message = isWithoutReply(stored.state) ? null : await findMessageById(ctx, stored.assistantMessageId);
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
      await interruptIfOrphaned(ctx, stored.conversationId, generationId);
    await delay(pollMs);
  }
}

/** The part of a whole reply that the reader lacks. A starting point beyond its end is not of this reply. */
const rest = (reply: string, from: number, sent: number): string =>
  sent === from && from > reply.length ? reply : reply.slice(sent);

function endEvent(stored: StoredGeneration, message: Message | null): GenerationEvent {
  const { state, inputTokens, outputTokens } = stored;
  if (isWithoutReply(state)) {
    const code = stored.errorCode ?? 'internal_error';
    const text = stored.errorMessage ?? new AppError(code).message;
    return { type: 'error', code, message: text, isInterrupted: state === 'interrupted' };
  }
  const usage = inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens };
  return { type: 'done', message, stopped: state === 'stopped', usage };
}
