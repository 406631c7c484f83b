import { ApiError, asApiError, isTransient } from '../../api/api-error.ts';

export type ReplyEvent =
  | { __typename: 'MessageDelta'; generationId: string; content: string; end: number }
  | {
      __typename: 'MessageDone';
      messageId?: string | null;
      userMessageId: string;
      generationId: string;
      stopped: boolean;
    }
  | ({ __typename: 'MessageError'; generationId: string } & Failure);

interface Failure {
  code: string;
  message: string;
  retryAfterSeconds?: number | null;
  /** Id of the message with what was shown of the reply. */
  messageId?: string | null;
}

type ReplyDone = Extract<ReplyEvent, { __typename: 'MessageDone' }>;

/** Called with true while other replies take every connection that there is for them, and with false after that. */
export type OnQueued = (isQueued: boolean) => void;

export interface ReplySource {
  /** Starts the reply. It can be repeated: under the same key the service joins or replays the reply. */
  begin(signal: AbortSignal, onQueued: OnQueued): AsyncIterable<ReplyEvent>;
  /** Resumes a reply after this many UTF-16 units. */
  resume(generationId: string, from: number, signal: AbortSignal, onQueued: OnQueued): AsyncIterable<ReplyEvent>;
  /** Returns the id of the reply that is running, after the service refused this one because of it. */
  findRunning(): Promise<string | null>;
  /** The running reply answers nothing of this source, for example another message of the person. */
  isOwn?: boolean;
}

/** Another reply is running, and the service did not store what this one was to reply to. */
export class Busy extends Error {
  readonly generationId: string;

  constructor(generationId: string) {
    super();
    this.generationId = generationId;
  }
}

export interface ReplyListener {
  /** Called when the service has accepted the request: the message is stored. */
  onBegun: (generationId: string) => void;
  onText: (text: string) => void;
  /** Called with true while the connection is lost and retried, and with false when it is back. */
  onWaiting: (isWaiting: boolean) => void;
  onQueued: OnQueued;
}

/**
 * Reads a reply to its end. Resumes after lost connections, without repeats or gaps.
 * @throws Busy
 * @throws ApiError
 */
export async function readReply(
  source: ReplySource,
  { onBegun, onText, onWaiting, onQueued }: ReplyListener,
  signal: AbortSignal,
  wait: (attempt: number, signal: AbortSignal) => Promise<void>,
  known?: string,
): Promise<ReplyDone> {
  let generationId = known ?? null;
  let text = '';
  for (let attempt = 0; ; attempt++) {
    try {
      const events = generationId
        ? source.resume(generationId, text.length, signal, onQueued)
        : source.begin(signal, onQueued);
      for await (const event of events) {
        onWaiting(false);
        attempt = 0;
        if (generationId !== event.generationId) onBegun(event.generationId);
        generationId = event.generationId;
        if (event.__typename === 'MessageDone') return event;
        if (event.__typename === 'MessageError') throw new ReplyFailed(event);
        // A replay may start before the end of the text that was already read.
        text += event.content.slice(Math.max(0, text.length - (event.end - event.content.length)));
        onText(text);
      }
    } catch (thrown) {
      const error = asApiError(thrown);
      signal.throwIfAborted();
      if (error.code === 'GENERATION_IN_PROGRESS') {
        const running = await source.findRunning().catch(() => null);
        if (running && source.isOwn) throw new Busy(running);
        if (running) onBegun(running);
        generationId = running;
      } else if (error instanceof ReplyFailed || !isWorthWaiting(error)) throw error;
    }
    signal.throwIfAborted();
    onWaiting(true);
    await wait(attempt, signal);
  }
}

/** A rate limit is reported instead of retried, because the wait may last until the next day. */
export const isWorthWaiting = (error: ApiError): boolean => isTransient(error) && error.code !== 'RATE_LIMITED';

/** The reply to a stored message failed. It is never retried automatically, whatever its code. */
export class ReplyFailed extends ApiError {
  /** Id of the stored message with what was shown of the reply; null when nothing was. */
  readonly messageId: string | null;

  constructor({ code, message, retryAfterSeconds, messageId }: Failure) {
    super(code, message, { retryAfterSeconds: retryAfterSeconds ?? undefined });
    this.messageId = messageId ?? null;
  }
}
