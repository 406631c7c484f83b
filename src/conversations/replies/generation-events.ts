import type { ErrorCode } from '../../core/errors.ts';
import type { Message } from '../messages/message.entity.ts';

/** A stored reply, as far as the reply engine knows it. */
export interface StoredReply {
  content: string;
}

/** An event for the readers of a generation: the pieces of the reply in order, then its outcome. */
export type GenerationEvent<Stored extends StoredReply = Message> =
  /** `end` is the length of the reply including this piece, in UTF-16 code units: the position to resume from. */
  | { type: 'delta'; content: string; end: number }
  /** `message` is null when the generation was stopped before anything was written. */
  | { type: 'done'; message: Stored | null; stopped: boolean; usage: TokenUsage | null }
  | {
      type: 'error';
      code: ErrorCode | 'cancelled';
      message: string;
      /** Whether the instance that wrote the reply lost its lease, so that the message can be retried. */
      isInterrupted?: boolean;
    };

/** Iterator rather than async generator, because every token passes through it: see `followLive`. */
export type GenerationEvents<Stored extends StoredReply = Message> = AsyncIterableIterator<
  GenerationEvent<Stored>,
  void,
  void
>;

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}
