import { isOrphaned } from '../../conversations/replies/reply-statements.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { lockRoomOnly } from '../membership.ts';
import { endTurns } from './end-turn.ts';

const interrupted = {
  from: ['running'],
  state: 'failed',
  error: { code: 'internal_error', message: 'The service was interrupted while it wrote the reply.' },
  isInterruption: true,
} as const;

const isOrphan = {
  name: 'room_turn_is_orphan',
  text: `select 1 as orphan from room_turns t where t.id = $1 and ${isOrphaned('t')}`,
};

/** Fails a running turn of the room if the lease of its instance has expired. Returns whether it did. */
export const interruptTurnIfOrphaned = (ctx: Ctx, roomId: string, turnId: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    await lockRoomOnly(tx, roomId);
    const orphans = await tx.sql(isOrphan, [turnId]);
    return orphans.length > 0 && (await endTurns(tx, [turnId], interrupted)).length > 0;
  });

const batchSize = 100;

// Skips locked rooms. The transaction that holds the lock may end the turn itself; otherwise the next run does.
const lockOrphans = {
  name: 'room_turn_orphans',
  text: `
    select t.id from room_turns t join rooms r on r.id = t.room_id
    where ${isOrphaned('t')} order by r.id limit ${batchSize} for no key update of r skip locked`,
};

/** SQL condition: a turn is running whose instance has lost its lease. */
export const hasOrphanTurns = `exists (select from room_turns t where ${isOrphaned('t')})`;

/** Fails every turn whose instance has lost its lease, in batches. Returns their number. */
export async function interruptOrphanTurns(ctx: Ctx): Promise<number> {
  for (let total = 0; ;) {
    const ended = await inTransaction(ctx, async (tx) => {
      const orphans = await tx.sql<{ id: string }>(lockOrphans);
      const ids = orphans.map(({ id }) => id);
      return (await endTurns(tx, ids, interrupted)).length;
    });
    if (ended === 0) return total;
    total += ended;
  }
}
