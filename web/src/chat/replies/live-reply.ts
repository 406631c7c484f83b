import { type ApiError, asApiError } from '../../api/api-error.ts';
import type { ThreadMessageFragment } from '../../api/generated/operations.ts';
import { createPace } from './pace.ts';
import { Busy, readReply, type ReplySource } from './reply.ts';
import { waitForNetwork } from '../../api/wait-for-network.ts';

export interface LiveReplyState {
  /** React key. It stays the same when the reply is stored, so that its elements are kept. */
  key: string;
  /** Null until the generation has started. */
  generationId: string | null;
  /** The message it replies to, while that is not stored yet. */
  question: string | null;
  /** Idempotency key of the unsent message it replies to. */
  unsentKey: string | null;
  /** The message on whose place the question or the reply is put. The thread hides it and those after it. */
  replaces: Replaced | null;
  text: string;
  /** `queued` while it waits for the end of another reply, `waiting` while it waits for the network. */
  status: 'connecting' | 'queued' | 'waiting' | 'writing' | 'failed';
  error: ApiError | null;
  /** Ids of the stored messages once the reply is complete. The thread shows those instead of this reply. */
  stored: StoredIds | null;
}

export type Replaced = Pick<ThreadMessageFragment, 'id' | 'createdAt'> & Partial<Pick<ThreadMessageFragment, 'broken'>>;

export interface StoredIds {
  messageId: string | null;
  userMessageId: string;
}

export interface LiveReplyOptions {
  question: string | null;
  unsentKey?: string | undefined;
  replaces?: Replaced | undefined;
  source: ReplySource;
  /** Set after a reload, when the reply is already running. */
  generationId?: string | undefined;
  onChange: () => void;
  onDone: (stored: StoredIds) => Promise<void>;
  /** Called instead when another reply is running in the conversation. */
  onBusy?: (generationId: string) => void;
  /** Called when a reply with `isStopDue` has begun. */
  onStopDue?: () => void;
  /** Called when it fails. Returns whether the stored messages will replace it, so that it does not show the failure. */
  onFailed?: (error: ApiError) => boolean;
}

let count = 0;

/** A reply while it is generated. Updates its state at the rate at which the page can render. */
export class LiveReply {
  state: LiveReplyState;
  /** Whether it is to be stopped as soon as the service has accepted it. */
  isStopDue = false;
  private text = '';
  private reading = new AbortController();
  private readonly options: LiveReplyOptions;
  private readonly pace = createPace(() => this.change({ text: this.text, status: 'writing' }));

  constructor(options: LiveReplyOptions) {
    this.options = options;
    this.state = {
      key: `live-${++count}`,
      generationId: options.generationId ?? null,
      question: options.question,
      unsentKey: options.unsentKey ?? null,
      replaces: options.replaces ?? null,
      text: '',
      status: 'connecting',
      error: null,
      stored: null,
    };
  }

  /** Reads the reply to its end. Call it again after a failure: the server joins, replays or retries the generation. */
  async read(): Promise<void> {
    this.reading = new AbortController();
    this.text = '';
    this.isStopDue = false;
    this.change({ status: 'connecting', error: null });
    const { source, generationId, onDone, onBusy, onStopDue, onFailed } = this.options;
    try {
      const listener = {
        onBegun: (begunId: string) => this.change({ generationId: begunId }),
        onText: (text: string) => {
          this.text = text;
          this.pace.request();
          if (this.isStopDue) onStopDue?.();
          this.isStopDue = false;
        },
        onWaiting: (isWaiting: boolean) => {
          if (isWaiting !== (this.state.status === 'waiting'))
            this.change({ status: isWaiting ? 'waiting' : 'writing' });
        },
        onQueued: (isQueued: boolean) => {
          if (isQueued !== (this.state.status === 'queued'))
            this.change({ status: isQueued ? 'queued' : 'connecting' });
        },
      };
      const done = await readReply(source, listener, this.reading.signal, waitForNetwork, generationId);
      this.pace.flush();
      const stored = { messageId: done.messageId ?? null, userMessageId: done.userMessageId };
      this.change({ stored });
      await onDone(stored);
    } catch (error) {
      if (this.reading.signal.aborted) return;
      if (error instanceof Busy) return onBusy?.(error.generationId);
      this.pace.flush();
      const failure = asApiError(error);
      if (!onFailed?.(failure)) this.change({ status: 'failed', error: failure });
    }
  }

  leave(): void {
    this.reading.abort();
  }

  private change(part: Partial<LiveReplyState>): void {
    // A drawing that was due when the reply was left.
    if (this.reading.signal.aborted) return;
    this.state = { ...this.state, ...part };
    this.options.onChange();
  }
}
