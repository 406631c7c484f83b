import { setTimeout as sleep } from 'node:timers/promises';
import { followGeneration } from '../../conversations/generations/follow-generation.ts';
import type { GenerationEvent, GenerationEvents } from '../../conversations/generations/generation-events.ts';
import type { Ctx } from '../../core/ctx.ts';
import { toWire } from '../../core/wire.ts';
import type { ChannelEvent } from '../channel.ts';
import { type LatestReply, messageCreated } from './conversation-log.ts';

/** A reply while it is written, read once for all readers of a channel: each follows the text at its own pace. */
export interface FollowedReply {
  generationId: string;
  readonly isOver: boolean;
  /** Position of the stored reply; null while there is none. */
  readonly position: number | null;
  /** From its start, or from so many UTF-16 units, to how it ended. */
  events(from: number | null, left: AbortSignal): AsyncGenerator<ChannelEvent, void, void>;
  /** Ends the reading. */
  stop(): void;
}

const retryMs = 500;

type End = Exclude<GenerationEvent, { type: 'delta' }>;

/** Begins to read a reply that is being written. `before` is the position of the newest message before it. */
export function followReply(
  ctx: Ctx,
  { id: conversationId, agentId }: { id: string; agentId: string },
  reply: LatestReply,
  { before, onEnd }: { before: number; onEnd: () => void },
): FollowedReply {
  const { id } = reply;
  let text = '';
  /** How it ended: the stored message first, so that a reader that resumes after the last of them has it. */
  let end: readonly ChannelEvent[] | null = null;
  let position: number | null = null;
  let reading: GenerationEvents | null = null;
  const stopped = new AbortController();
  let last: { from: number; event: ChannelEvent } | null = null;
  const waiting = new Set<() => void>();
  const announce = (): void => {
    const due = [...waiting];
    waiting.clear();
    for (const resume of due) resume();
  };

  async function read(): Promise<void> {
    reading = followGeneration(ctx, id, { from: text.length });
    for await (const event of reading) {
      if (event.type === 'delta') text += event.content;
      else {
        if (event.type === 'done') position = event.message?.position ?? null;
        end = endEvents(event);
      }
      announce();
      if (end) return onEnd();
    }
  }

  async function readToEnd(): Promise<void> {
    while (!stopped.signal.aborted && !end) {
      try {
        await read();
      } catch (error) {
        ctx.log.warn({ err: error, generationId: id }, 'could not follow a reply for a channel, will retry');
        await sleep(retryMs);
      }
    }
  }

  const ids = { generationId: id, userMessageId: reply.userMessageId };

  function endEvents(event: End): ChannelEvent[] {
    if (event.type === 'error') {
      const { code, message } = event;
      return [{ type: 'reply.failed', offset: String(before), data: toWire({ ...ids, code, message }) as object }];
    }
    const { message, stopped, usage } = event;
    const { truncated = false, citations = null } = message ?? {};
    const done: ChannelEvent = {
      type: 'reply.done',
      offset: String(message?.position ?? before),
      data: toWire({ ...ids, messageId: message?.id ?? null, stopped, truncated, usage, citations }) as object,
    };
    return message ? [messageCreated(message, agentId), done] : [done];
  }

  /** The text after `from`. Readers at the same point share the event. */
  function piece(from: number): ChannelEvent {
    const offset = `${id}:${text.length}`;
    if (last?.from === from && last.event.offset === offset) return last.event;
    const event = { type: 'reply.delta', offset, data: { generation_id: id, content: text.slice(from) } };
    last = { from, event };
    return event;
  }

  const started: ChannelEvent = {
    type: 'reply.started',
    offset: `${id}:0`,
    data: toWire({ ...ids, messageId: reply.assistantMessageId, conversationId }) as object,
  };

  async function* events(from: number | null, left: AbortSignal): AsyncGenerator<ChannelEvent, void, void> {
    if (from === null) yield started;
    for (let sent = from ?? 0; !left.aborted;) {
      if (text.length > sent) {
        const event = piece(sent);
        sent = text.length;
        yield event;
      } else if (end) {
        return yield* end;
      } else {
        const changed = Promise.withResolvers<void>();
        const resume = (): void => changed.resolve();
        waiting.add(resume);
        left.addEventListener('abort', resume);
        await changed.promise;
        left.removeEventListener('abort', resume);
        waiting.delete(resume);
      }
    }
  }

  void readToEnd();
  return {
    generationId: id,
    get isOver() {
      return end !== null;
    },
    get position() {
      return position;
    },
    events,
    stop: () => {
      stopped.abort();
      void reading?.return?.();
    },
  };
}
