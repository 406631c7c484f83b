import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { GenerationEvent, GenerationEvents, StoredReply } from '../../conversations/replies/generation-events.ts';
import type { ChannelEvent } from '../channel.ts';

/**
 * A reply while it is generated, read once for all readers of a channel. Each reader follows the text at its own pace.
 */
export interface FollowedText {
  id: string;
  readonly isOver: boolean;
  /** Yields the events from an offset in UTF-16 code units (null: from the start) to the end. */
  events(from: number | null, left: AbortSignal): AsyncGenerator<ChannelEvent, void, void>;
  /** Stops reading. */
  stop(): void;
}

export type ReplyEnd<Stored extends StoredReply> = Exclude<GenerationEvent<Stored>, { type: 'delta' }>;

interface FollowOptions<Stored extends StoredReply> {
  id: string;
  /** Opens the reply at an offset in UTF-16 code units. */
  open(from: number): GenerationEvents<Stored>;
  started: ChannelEvent;
  piece(content: string): { type: string; data: object };
  /**
   * Returns the events of the end. The stored message comes first, so that a reader that resumes after the last event
   * has it.
   */
  endEvents(end: ReplyEnd<Stored>): readonly ChannelEvent[];
  onEnd(): void;
  log: Logger;
}

const retryMs = 500;

/** Starts to read a running reply. */
export function followText<Stored extends StoredReply>(options: FollowOptions<Stored>): FollowedText {
  const { id, started, log } = options;
  let text = '';
  let end: readonly ChannelEvent[] | null = null;
  let reading: GenerationEvents<Stored> | null = null;
  const stopped = new AbortController();
  let last: { from: number; event: ChannelEvent } | null = null;
  const waiting = new Set<() => void>();
  const announce = (): void => {
    const due = [...waiting];
    waiting.clear();
    for (const resume of due) resume();
  };

  async function read(): Promise<void> {
    reading = options.open(text.length);
    for await (const event of reading) {
      if (event.type === 'delta') text += event.content;
      else end = options.endEvents(event);
      announce();
      if (end) return options.onEnd();
    }
  }

  async function readToEnd(): Promise<void> {
    while (!stopped.signal.aborted && !end) {
      try {
        await read();
      } catch (error) {
        log.warn({ err: error, generationId: id }, 'could not follow a reply for a channel, will retry');
        await sleep(retryMs);
      }
    }
  }

  /** Returns the text after `from`. Readers at the same offset share the event. */
  function piece(from: number): ChannelEvent {
    const offset = `${id}:${text.length}`;
    if (last?.from === from && last.event.offset === offset) return last.event;
    const event = { ...options.piece(text.slice(from)), offset };
    last = { from, event };
    return event;
  }

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
    id,
    get isOver() {
      return end !== null;
    },
    events,
    stop: () => {
      stopped.abort();
      void reading?.return?.();
    },
  };
}
