import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { followGeneration } from './follow-generation.ts';
import type { GenerationEvent, GenerationEvents } from '../replies/generation-events.ts';
import type { AcceptedMessage } from './generation-job.ts';
import { restartReply } from './restart-reply.ts';

export interface ReplyEvents extends GenerationEvents {
  /** The attempt to which the last event belongs. */
  readonly accepted: AcceptedMessage;
}

const maxRestarts = 2;

/**
 * Follows the reply to an accepted message from its first character, and yields how it ended. If an attempt is
 * interrupted before this reader got any of its text, another attempt replaces it transparently; after that the reader
 * gets an error, because another attempt writes a different text. With `endOnly` the text is omitted, so an interrupted
 * attempt can always be replaced.
 */
export function followReply(ctx: Ctx, message: AcceptedMessage, options: { endOnly?: boolean } = {}): ReplyEvents {
  let accepted = message;
  let events = follow();
  let isSeen = false;
  let restarts = 0;

  function follow(): GenerationEvents {
    const generation = { id: accepted.generationId, userId: callerId(ctx) };
    return followGeneration(ctx, generation, { ...options, withholdPartial: true });
  }

  async function restart(event: GenerationEvent): Promise<boolean> {
    if (event.type !== 'error' || !event.isInterrupted || isSeen || restarts === maxRestarts) return false;
    restarts += 1;
    const next = await restartReply(ctx, accepted);
    if (!next) return false;
    accepted = next;
    events = follow();
    return true;
  }

  // Hand-written for the same reason as `followLive`.
  const reply: ReplyEvents = {
    [Symbol.asyncIterator]: () => reply,
    get accepted() {
      return accepted;
    },
    async next() {
      const next = await events.next();
      if (next.done) return next;
      if (next.value.type === 'error' && (await restart(next.value))) return reply.next();
      isSeen = true;
      return next;
    },
    async return() {
      await events.return?.();
      return { value: undefined, done: true };
    },
  };
  return reply;
}
