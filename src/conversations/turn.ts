import { AppError } from '../core/errors.ts';
import type { GenerationState } from './generation.entity.ts';

/** How far a conversation is, as read under its lock. */
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
  finishedAt: Date | null;
  deliveredAt: Date | null;
}

interface Sent {
  content: string;
  /** The generation that this idempotency key named before, `null` for a key that is new, `undefined` without a key. */
  keyed: GenerationOfTurn | null | undefined;
  now: Date;
}

export type TurnDecision =
  /** Answer with this generation, running or done. */
  | { kind: 'join'; generationId: string }
  /** A new attempt for a user's message that is stored already. */
  | { kind: 'retry'; userMessageId: string; replaces: string | null }
  | { kind: 'new' };

const replayWindowMs = 10 * 60_000;

/**
 * What a message means where the conversation stands, so that a client which sends the same message again after a drop
 * never makes two of it.
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
  return last && wasDropped(last, sent) ? { kind: 'join', generationId: last.id } : { kind: 'new' };
}

function decideKeyed(turn: Turn, keyed: GenerationOfTurn, content: string): TurnDecision {
  if (keyed.userContent !== content) throw new AppError('idempotency_mismatch');
  if (!isFailed(keyed)) return { kind: 'join', generationId: keyed.id };
  if (turn.lastGeneration?.state === 'running') throw new AppError('generation_in_progress');
  if (turn.lastMessage?.id === keyed.userMessageId)
    return { kind: 'retry', userMessageId: keyed.userMessageId, replaces: keyed.id };
  throw new AppError('conflict', {
    message: 'The reply to this message failed, and the conversation has gone on since.',
  });
}

/** Whether an attempt left its message without a reply, so that the same key may try again. */
export const isFailed = ({ state }: GenerationOfTurn): boolean => state === 'failed' || state === 'interrupted';

/** The reply is stored, but nobody is known to have received it. */
const wasDropped = (generation: GenerationOfTurn, sent: Sent): boolean =>
  generation.state === 'complete' &&
  generation.userContent === sent.content &&
  generation.deliveredAt === null &&
  generation.finishedAt !== null &&
  sent.now.getTime() - generation.finishedAt.getTime() <= replayWindowMs;
