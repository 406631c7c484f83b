import type { Ctx } from '../core/ctx.ts';
import { inTransaction, lockThenRead } from '../core/database/transaction.ts';
import { publish } from '../core/outbox.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

const batchSize = 100;

const lockOwner = { name: 'agents_announce_lock_owner', text: `select from users where id = $1 for share` };
// Returns no agents when the account was restored in the meantime; the lock of the account is held already.
const nextBatch = {
  name: 'agents_announce_unpublished',
  text: `
    update agents set event_sequence = event_sequence + 1 where id in (
      select a.id from agents a join users u on u.id = a.owner_id
      where a.owner_id = $1 and a.id > $2 and a.is_public and a.deleted_at is null and a.moderation_state in ('ok', 'held')
        and u.deletion_requested_at is not null
      order by a.id limit ${batchSize} for no key update of a)
    returning id, event_sequence as sequence`,
};

/** Enqueues `agent.unpublished` for the public agents of an account whose deletion has begun. */
export const announceLater = (tx: Ctx, userId: string): Promise<void> =>
  enqueueTask(tx, 'agent.announce-unpublished', { userId }, { key: userId });

/** Publishes `agent.unpublished` for each public agent of an account that is being deleted, at least once. */
export async function announceUnpublished(ctx: Ctx, userId: string, run: TaskRun): Promise<void> {
  for (let after = ''; ;) {
    const batch = await inTransaction(ctx, async (tx) => {
      const batch = [nextBatch, [userId, after]] as const;
      const agents = await lockThenRead<{ id: string; sequence: number }>(tx, [lockOwner, [userId]], batch);
      for (const { id, sequence } of agents) {
        await publish(tx, userId, 'agent.unpublished', { agentId: id, reason: 'owner', sequence });
      }
      return agents;
    });
    if (batch.length < batchSize) return;
    after =
      batch
        .map(({ id }) => id)
        .toSorted()
        .at(-1) ?? after;
    await run.heartbeat();
  }
}
