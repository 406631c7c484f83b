import { callerId } from '../../accounts/caller.ts';
import { followAttempt } from '../../conversations/generations/follow-generation.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import { hiddenPosition, lockRoom } from '../membership.ts';
import { moderates } from '../room.policy.ts';
import { endTurns } from './end-turn.ts';
import { startTurnsWhenCommitted } from './start-turn.ts';
import { turnTable } from './turn-table.ts';
import { findTurns, findVisibleTurn, type TurnView } from './turn-view.ts';

const findActive = {
  name: 'room_turns_active',
  text: `
    select id, user_id as "userId", state from room_turns where room_id = $1 and state in ('queued', 'running') order by number`,
};
const requestStop = {
  name: 'room_turn_request_stop',
  text: `update room_turns set stop_requested = true where id = $1 and state = 'running'`,
};

interface ActiveTurn {
  id: string;
  userId: string;
  state: 'queued' | 'running';
}

/**
 * Stops the running reply, on any instance, and clears the queue; or stops one turn. Moderators can stop any turn,
 * others only those that they caused. Returns the turns once their outcomes are stored.
 * @throws AppError `not_found`, `forbidden` for another person's turn
 */
export async function stopTurns(ctx: Ctx, roomId: string, turnId: string | null): Promise<TurnView[]> {
  const caller = callerId(ctx);
  const running = await inTransaction(ctx, async (tx) => {
    const room = await lockRoom(tx, roomId);
    const isMine = ({ userId }: { userId: string }): boolean => moderates(room.role) || userId === caller;
    if (turnId !== null && !isMine(await findVisibleTurn(tx, room, turnId))) throw new AppError('forbidden');
    const active = await tx.sql<ActiveTurn>(findActive, [roomId]);
    const chosen = active.filter((turn) => isMine(turn) && (turnId === null || turn.id === turnId));
    const queued = chosen.filter(({ state }) => state === 'queued').map(({ id }) => id);
    await endTurns(tx, queued, { from: ['queued'], state: 'stopped', error: null });
    const [current] = chosen.filter(({ state }) => state === 'running');
    if (current) await tx.sql(requestStop, [current.id]);
    startTurnsWhenCommitted(tx, roomId);
    return { ids: chosen.map(({ id }) => id), current: current?.id, hidden: hiddenPosition(room) };
  });
  if (running.current) await waitForEnd(ctx, running.current);
  return findTurns(ctx, turnId === null ? running.ids : [turnId], running.hidden);
}

async function waitForEnd(ctx: Ctx, id: string): Promise<void> {
  ctx.ports.roomTurns.stop(id);
  for await (const event of followAttempt(ctx, turnTable, { id }, { endOnly: true }))
    if (event.type !== 'delta') return;
}
