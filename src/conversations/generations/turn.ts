import { AppError } from '../../core/errors.ts';
import { type GenerationState, isWithoutReply } from '../replies/generation-state.ts';

/** State of a conversation, read under its lock. */
export interface Turn {
  /** The newest message of the active branch, except broken replies. */
  lastMessage: { id: string; role: 'user' | 'assistant'; content: string } | null;
  /** Whether what was shown of a failed reply to `lastMessage` follows it, which counts as no reply. */
  hasBrokenReply: boolean;
  /** The newest attempt, with the user's message that it replies to. */
  lastGeneration: GenerationOfTurn | null;
}

export interface GenerationOfTurn {
  id: string;
  state: GenerationState;
  userMessageId: string;
  userContent: string;
  isRegeneration: boolean;
  idempotencyKey: string | null;
  /** Whether the reply was stored within the last ten minutes and no client is known to have received it. */
  isDropped: boolean;
}

interface Sent {
  content: string;
  /** Generation that was started with this idempotency key; `null` for a new key, `undefined` without a key. */
  keyed: GenerationOfTurn | null | undefined;
}

export type TurnDecision =
  /** The reply is that of this generation, which is running or has ended. */
  | { kind: 'join'; generationId: string }
  /** A new attempt for a user's message that is stored already. */
  | { kind: 'retry'; userMessageId: string; replaces: string | null; isRegeneration: boolean }
  | { kind: 'new' };

/**
 * Decides how to treat a message in the current state of the conversation, so that a client that sends the same message
 * again after a dropped connection never creates a duplicate.
 * @throws AppError `generation_in_progress`, `idempotency_mismatch`, `conflict`
 */
export function decideTurn(turn: Turn, sent: Sent): TurnDecision {
  if (sent.keyed) return decideKeyed(turn, sent.keyed, sent.content);
  const last = turn.lastGeneration;
  const isNewByKey = sent.keyed === null;
  if (last?.state === 'running') {
    if (!isNewByKey && last.userContent === sent.content) return { kind: 'join', generationId: last.id };
    throw new AppError('generation_in_progress');
  }
  if (isNewByKey) return { kind: 'new' };
  if (turn.lastMessage?.role === 'user' && turn.lastMessage.content === sent.content) {
    return { kind: 'retry', userMessageId: turn.lastMessage.id, replaces: null, isRegeneration: turn.hasBrokenReply };
  }
  const isDropped = last?.isDropped === true && last.userContent === sent.content;
  return isDropped ? { kind: 'join', generationId: last.id } : { kind: 'new' };
}

function decideKeyed(turn: Turn, keyed: GenerationOfTurn, content: string): TurnDecision {
  if (keyed.userContent !== content) throw new AppError('idempotency_mismatch');
  if (!isWithoutReply(keyed.state)) return { kind: 'join', generationId: keyed.id };
  if (turn.lastGeneration?.state === 'running') throw new AppError('generation_in_progress');
  if (turn.lastMessage?.id === keyed.userMessageId)
    return {
      kind: 'retry',
      userMessageId: keyed.userMessageId,
      replaces: keyed.id,
      isRegeneration: turn.hasBrokenReply,
    };
  throw new AppError('conflict', {
    message: 'The reply to this message failed, and the conversation has continued since then.',
  });
}
