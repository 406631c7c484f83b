import type { ErrorCode } from '../../core/errors.ts';
import type { Message } from '../messages/message.entity.ts';

/** What a reader of a generation gets: the pieces of the reply in order, then how it ended. */
export type GenerationEvent =
  /** `end` is the length of the reply up to and including this piece, in UTF-16 units: the point to resume from. */
  | { type: 'delta'; content: string; end: number }
  /** `message` is null when the generation was stopped before anything was written. */
  | { type: 'done'; message: Message | null; stopped: boolean; usage: TokenUsage | null }
  | {
      type: 'error';
      code: ErrorCode | 'cancelled';
      message: string;
      /** The instance that wrote the reply lost its lease: the message can be tried again. */
      isInterrupted?: boolean;
    };

/** An iterator instead of an async generator where every token passes: see `followLive`. */
export type GenerationEvents = AsyncIterableIterator<GenerationEvent, void, void>;

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}
