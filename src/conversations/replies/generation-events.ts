import type { ErrorCode } from '../../core/errors.ts';
import type { Message } from '../messages/message.entity.ts';

/** A stored reply, as far as the reply engine knows it. */
export interface StoredReply {
  id: string;
  content: string;
}

/** An event for the readers of a generation: the pieces of the reply in order, then its outcome. */
export type GenerationEvent<Stored extends StoredReply = Message> =
  /** `end` is the length of the reply including this piece, in UTF-16 code units: the position to resume from. */
  | { type: 'delta'; content: string; end: number }
  /** `message` is null when the generation was stopped before anything was written. */
  | { type: 'done'; message: Stored | null; stopped: boolean; usage: TokenUsage | null }
  | ({
      type: 'error';
      /** Whether the instance that wrote the reply lost its lease, so that the message can be retried. */
      isInterrupted?: boolean;
    } & ReplyFailure<ErrorCode | 'cancelled'>);

/** Why a reply failed. */
export interface ReplyFailure<Code = ErrorCode> {
  code: Code;
  message: string;
  /** Wait before another attempt, if the provider requests one. */
  retryAfterSeconds?: number | undefined;
  /** Id of the message with what was shown of the reply; null or absent when nothing was. */
  brokenId?: string | null;
}

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
