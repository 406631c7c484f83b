import { ApiError, asApiError, isTransient } from '../api/api-error.ts';

export type ReplyEvent =
  | { __typename: 'MessageDelta'; generationId: string; content: string; end: number }
  | {
      __typename: 'MessageDone';
      messageId?: string | null;
      userMessageId: string;
      generationId: string;
      stopped: boolean;
    }
  | { __typename: 'MessageError'; generationId: string; code: string; message: string };

type ReplyDone = Extract<ReplyEvent, { __typename: 'MessageDone' }>;

export interface ReplySource {
  /** Starts the reply. It can be repeated: under the same key the service joins or replays the reply. */
  begin(signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /** Resumes a reply after this many UTF-16 units. */
  resume(generationId: string, from: number, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /** Returns the id of a reply that another tab started, after the service refused this one because of it. */
  findRunning(): Promise<string | null>;
}

export interface ReplyListener {
  onText: (text: string, generationId: string) => void;
  /** Called with true while the connection is lost and retried, and with false when it is back. */
  onWaiting: (isWaiting: boolean) => void;
}

/** Reads a reply to its end. Resumes after lost connections, without repeats or gaps. */
export async function readReply(
  source: ReplySource,
  { onText, onWaiting }: ReplyListener,
  signal: AbortSignal,
  wait: (attempt: number, signal: AbortSignal) => Promise<void>,
  known?: string,
): Promise<ReplyDone> {
  let generationId = known ?? null;
  let text = '';
  for (let attempt = 0; ; attempt++) {
    try {
      const events = generationId ? source.resume(generationId, text.length, signal) : source.begin(signal);
      for await (const event of events) {
        onWaiting(false);
        attempt = 0;
        generationId = event.generationId;
        if (event.__typename === 'MessageDone') return event;
        if (event.__typename === 'MessageError') throw failureOf(event);
        // A replay may start before the end of the text that was already read.
        text += event.content.slice(Math.max(0, text.length - (event.end - event.content.length)));
        onText(text, generationId);
      }
    } catch (thrown) {
      const error = asApiError(thrown);
      signal.throwIfAborted();
      const running = error.code === 'GENERATION_IN_PROGRESS' ? await source.findRunning() : null;
      if (running) generationId = running;
      else if (error instanceof ReplyFailed || !isWorthWaiting(error)) throw error;
    }
    signal.throwIfAborted();
    onWaiting(true);
    await wait(attempt, signal);
  }
}

/** A rate limit is reported instead of retried, because the wait may last until the next day. */
const isWorthWaiting = (error: ApiError): boolean => isTransient(error) && error.code !== 'RATE_LIMITED';

/** A failed reply is never retried automatically, whatever its code. */
class ReplyFailed extends ApiError {}

const failureOf = ({ code, message }: { code: string; message: string }): ReplyFailed => new ReplyFailed(code, message);
