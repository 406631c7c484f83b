import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { requireUnrestricted } from '../../moderation/restrictions.ts';
import { lockForPosting, payerOf, requireVoice } from '../messages/post-message.ts';
import { requestTurnInput } from '../room.input.ts';
import { acceptTurn } from './accept-turn.ts';
import { startTurnsWhenCommitted } from './start-turn.ts';
import { findTurns, type TurnView } from './turn-view.ts';

/**
 * Requests a reply of an agent of the room, even a muted one. The turn is its own root, and the caller pays for it.
 * @throws AppError `not_found`, `forbidden` for someone who is muted or restricted
 */
export async function requestTurn(ctx: Ctx, roomId: string, input: unknown): Promise<TurnView> {
  const { agentId } = parseInput(requestTurnInput, input);
  return inTransaction(ctx, async (tx) => {
    // Both statements are sent together to save a round trip.
    const [room] = await Promise.all([lockForPosting(tx, roomId), requireUnrestricted(tx)]);
    requireVoice(tx, room);
    if (!room.agents.some((agent) => agent.agentId === agentId && agent.available)) throw notFound();
    const payer = payerOf(tx, { ...room, payer: 'sender' });
    const id = await acceptTurn(tx, { roomId, agentId, userId: callerId(tx), payer, hop: 0 });
    startTurnsWhenCommitted(tx, roomId);
    const [turn] = id ? await findTurns(tx, [id]) : [];
    if (!turn) throw notFound();
    return turn;
  });
}
