import { AppError } from '../../core/errors.ts';
import { type GenerationState, isWithoutReply } from './generation-states.ts';

/** The state of a conversation, as read under its lock. */
export interface Turn {
  lastMessage: { id: string; role: 'user' | 'assistant'; content: string } | null;
  /** The newest attempt, and the user's message that it answers. */
  lastGeneration: GenerationOfTurn | null;
}

export interface GenerationOfTurn {
  id: string;
  state: GenerationState;
  userMessageId: string;
  userContent: string;
  isRegeneration: boolean;
  idempotencyKey: string | null;
  /** The reply was stored in the last ten minutes, and no client is known to have received it. */
  isDropped: boolean;
}

interface Sent {
  content: string;
  /** The generation that this idempotency key named before, `null` for a key that is new, `undefined` without a key. */
  keyed: GenerationOfTurn | null | undefined;
}

export type TurnDecision =
  /** The reply is the one of this generation, running or done. */
  | { kind: 'join'; generationId: string }
  /** A new attempt for a user's message that is stored already. */
  | { kind: 'retry'; userMessageId: string; replaces: string | null }
  | { kind: 'new' };

/**
 * Decides what a message means in the conversation's state, so that a client which sends the same message again after a
 * drop never makes two of it.
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
    return { kind: 'retry', userMessageId: turn.lastMessage.id, replaces: null };
  }
  const isDropped = last?.isDropped === true && last.userContent === sent.content;
  return isDropped ? { kind: 'join', generationId: last.id } : { kind: 'new' };
}

function decideKeyed(turn: Turn, keyed: GenerationOfTurn, content: string): TurnDecision {
  if (keyed.userContent !== content) throw new AppError('idempotency_mismatch');
  if (!isWithoutReply(keyed.state)) return { kind: 'join', generationId: keyed.id };
  if (turn.lastGeneration?.state === 'running') throw new AppError('generation_in_progress');
  if (turn.lastMessage?.id === keyed.userMessageId)
    return { kind: 'retry', userMessageId: keyed.userMessageId, replaces: keyed.id };
  throw new AppError('conflict', {
    message: 'The reply to this message failed, and the conversation has continued since then.',
  });
}
