import type { Message } from '../messages/message.entity.ts';
import type { ReplyFailure, StoredReply, TokenUsage } from './generation-events.ts';

/** How a generation ended. */
export type GenerationOutcome<Stored extends StoredReply = Message> =
  | { state: 'complete' | 'stopped'; message: Stored | null; usage: TokenUsage | null }
  /** Another instance ended the generation after the lease was lost, or the conversation was deleted. */
  | { state: 'lost' }
  | ({ state: 'failed' } & ReplyFailure);

/** A generation that runs in this process. Any number of readers follow `text`, each at its own pace. */
export interface LiveGeneration<Stored extends StoredReply = Message> {
  readonly id: string;
  /** Account for the limit of concurrent replies. */
  readonly account: string;
  /** Text that has been written so far. */
  readonly text: string;
  /** Milliseconds from the start to the first text; null while there is none. */
  readonly firstWordsMs: number | null;
  readonly outcome: GenerationOutcome<Stored> | null;
  /** Aborted by `stop`, or when the generation is lost. */
  readonly signal: AbortSignal;
  /** Calls `reader` once: with the next piece that is appended to `text`, or with '' if the outcome comes first. */
  onceChanged(reader: LiveReader): void;
  /** Removes a waiting reader. */
  forget(reader: LiveReader): void;
  /** Resolves once there is an outcome. */
  readonly finished: Promise<void>;
}

export type LiveReader = (added: string) => void;

/** The writing side of a live generation. */
export interface LiveGenerationWriter<Stored extends StoredReply = Message> extends LiveGeneration<Stored> {
  append(text: string): void;
  finish(outcome: GenerationOutcome<Stored>): void;
}

/** Creates a live generation. `onFinish` is called with the outcome before the readers are. */
export function createLiveGeneration<Stored extends StoredReply = Message>(
  { id, account }: Pick<LiveGeneration, 'id' | 'account'>,
  signal: AbortSignal,
  onFinish: (outcome: GenerationOutcome<Stored>) => void,
): LiveGenerationWriter<Stored> {
  let text = '';
  const startedMs = performance.now();
  let firstWordsMs: number | null = null;
  let outcome: GenerationOutcome<Stored> | null = null;
  const readers = new Set<LiveReader>();
  const end = Promise.withResolvers<void>();
  const announce = (added: string) => {
    const due = [...readers];
    readers.clear();
    for (const reader of due) reader(added);
  };
  return {
    id,
    account,
    signal,
    get text() {
      return text;
    },
    get firstWordsMs() {
      return firstWordsMs;
    },
    get outcome() {
      return outcome;
    },
    onceChanged: (reader) => void readers.add(reader),
    forget: (reader) => void readers.delete(reader),
    finished: end.promise,
    append(more) {
      if (more === '') return;
      firstWordsMs ??= Math.round(performance.now() - startedMs);
      text += more;
      announce(more);
    },
    finish(how) {
      outcome ??= how;
      onFinish(outcome);
      announce('');
      end.resolve();
    },
  };
}
