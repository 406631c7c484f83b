import { type ApiError, asApiError } from '../api/api-error.ts';
import { createPace } from './pace.ts';
import { readReply, type ReplySource } from './reply.ts';
import { waitForNetwork } from '../api/wait-for-network.ts';

export interface LiveReplyState {
  /** Stays the same when the reply is stored, so that its elements stay, too. */
  key: string;
  /** Known once it has begun. */
  generationId: string | null;
  /** The message that it answers, when that is not stored yet. */
  question: string | null;
  text: string;
  status: 'connecting' | 'waiting' | 'writing' | 'failed';
  error: ApiError | null;
  /** Ids of the stored messages, once it is complete. Where they are shown, this is not. */
  stored: StoredIds | null;
}

export interface StoredIds {
  messageId: string | null;
  userMessageId: string;
}

interface LiveReplyOptions {
  question: string | null;
  source: ReplySource;
  /** Known after a reload, when a reply is running already. */
  generationId?: string | undefined;
  onChange: () => void;
  onDone: (stored: StoredIds) => Promise<void>;
}

let count = 0;

/** One reply while it is written: its text at a pace that the page can draw, and how to stop reading it. */
export class LiveReply {
  state: LiveReplyState;
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
      text: '',
      status: 'connecting',
      error: null,
      stored: null,
    };
  }

  /** Reads to the end. After a failure it can be called again: the server joins, replays or retries. */
  async read(): Promise<void> {
    this.reading = new AbortController();
    this.text = '';
    this.change({ status: 'connecting', error: null });
    const { source, generationId, onDone } = this.options;
    try {
      const listener = {
        onText: (text: string, begunId: string) => {
          this.text = text;
          if (begunId !== this.state.generationId) this.change({ generationId: begunId });
          this.pace.request();
        },
        onWaiting: (isWaiting: boolean) => {
          if (isWaiting !== (this.state.status === 'waiting'))
            this.change({ status: isWaiting ? 'waiting' : 'writing' });
        },
      };
      const done = await readReply(source, listener, this.reading.signal, waitForNetwork, generationId);
      this.pace.flush();
      const stored = { messageId: done.messageId ?? null, userMessageId: done.userMessageId };
      this.change({ stored });
      await onDone(stored);
    } catch (error) {
      if (this.reading.signal.aborted) return;
      this.pace.flush();
      this.change({ status: 'failed', error: asApiError(error) });
    }
  }

  leave(): void {
    this.reading.abort();
  }

  private change(part: Partial<LiveReplyState>): void {
    this.state = { ...this.state, ...part };
    this.options.onChange();
  }
}
