import { callerId } from '../../accounts/caller.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';

const megabyte = 1_048_576;

/** Returns SQL for the bytes that an account stores, including notes that are not aggregated yet. */
export const storedBytesOf = (userId: string): string => `
  (coalesce((select s.bytes from stored_bytes s where s.user_id = ${userId}), 0)
    + coalesce((select sum(n.bytes) from storage_notes n where n.user_id = ${userId}), 0))::bigint`;

/** Converts bytes to megabytes, rounded up. */
export const megabytesOf = (bytes: number): number => Math.ceil(Math.max(0, bytes) / megabyte);

const findStored = {
  name: 'stored_bytes_find',
  text: `select u.plan, ${storedBytesOf('u.id')} as bytes from users u where u.id = $1`,
};

/**
 * Checks that an account may store more bytes. Requests that run at the same time may exceed the limit by what they add.
 * @throws AppError `plan_limit_exceeded`
 */
export async function requireStorage(ctx: Ctx, addedBytes: number, userId = callerId(ctx)): Promise<void> {
  const [account] = await ctx.sql<{ plan: Plan; bytes: number }>(findStored, [userId]);
  if (!account) throw new AppError('unauthenticated');
  const limit = ctx.catalog.planLimits.storedMegabytes[account.plan];
  if (account.bytes + addedBytes <= limit * megabyte) return;
  throw new AppError('plan_limit_exceeded', {
    message: `Your plan stores ${limit.toLocaleString('en-US')} MB. Delete documents, images, shared links or conversations, or choose a larger plan.`,
  });
}

const batchSize = 5_000;
const takeNotes = {
  name: 'storage_notes_take',
  text: `
    delete from storage_notes where id in (
      select id from storage_notes order by id limit ${batchSize} for update skip locked)
    returning user_id as "userId", bytes`,
};
// The join drops notes of purged accounts. Rows are written in the order of accounts, which prevents deadlocks.
const addNotes = {
  name: 'storage_notes_add',
  text: `
    insert into stored_bytes as s (user_id, bytes)
    select u.id, sum(v.bytes) from unnest($1::text[], $2::bigint[]) as v (id, bytes) join users u on u.id = v.id
    group by u.id order by u.id
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes`,
};

/**
 * Aggregates all pending notes, in one transaction a batch, and returns their number. Concurrent calls count each note
 * exactly once.
 */
export async function aggregateStorage(ctx: Ctx): Promise<number> {
  let aggregated = 0;
  for (let batch = batchSize; batch === batchSize; aggregated += batch)
    batch = await inTransaction(ctx, async (tx) => {
      const notes = await tx.sql<{ userId: string; bytes: number }>(takeNotes);
      if (notes.length > 0)
        await tx.sql(addNotes, [notes.map(({ userId }) => userId), notes.map(({ bytes }) => bytes)]);
      return notes.length;
    });
  return aggregated;
}

const recountBatch = 50;
const lockDue = {
  name: 'stored_bytes_lock_due',
  text: `
    select user_id as "userId" from stored_bytes where recount_due order by user_id limit ${recountBatch}
    for no key update skip locked`,
};
// Pending notes are subtracted, because they are added later. Counting is a statement after the lock, so it sees all that
// was aggregated before.
const recount = {
  name: 'stored_bytes_recount',
  text: `
    update stored_bytes s set recount_due = false, bytes = stored_bytes_of(s.user_id)
      - coalesce((select sum(n.bytes) from storage_notes n where n.user_id = s.user_id), 0)
    where s.user_id = any ($1)`,
};

/** Counts again what the accounts that are due store, from the rows themselves. */
export async function recountStorage(ctx: Ctx, run: Pick<TaskRun, 'heartbeat'>): Promise<void> {
  for (let batch = recountBatch; batch === recountBatch; await run.heartbeat())
    batch = await inTransaction(ctx, async (tx) => {
      const due = (await tx.sql<{ userId: string }>(lockDue, [])).map(({ userId }) => userId);
      if (due.length > 0) await tx.sql(recount, [due]);
      return due.length;
    });
}
