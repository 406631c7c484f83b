import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import type { Ctx } from '../ctx.ts';
import { AppError } from '../errors.ts';
import { retryTransient, sqlState } from './database-errors.ts';
import { poolSql, type Sql } from './sql.ts';
import { isInTransaction } from './transaction.ts';

interface BatchedWrite<Item, Outcome> {
  /**
   * Items with the same key are never in one batch, so the statement can check a limit of that key against one item.
   */
  keyOf: (item: Item) => string;
  /**
   * Writes the items with one statement, which is a transaction of its own. Returns one outcome for each item, in the
   * same order.
   */
  write: (sql: Sql, items: readonly Item[]) => Promise<readonly Outcome[]>;
}

const maxItems = 100;
/**
 * The second batch keeps PostgreSQL busy while the outcomes of the first are read. More would only make batches
 * smaller.
 */
const maxBatchesInProgress = 2;
const maxWaiting = 5_000;

/**
 * Returns a function that batches a small write of many concurrent requests, so that they share a statement and a
 * commit. A batch holds the items of one turn of the event loop, or those that arrived while earlier batches were
 * running. The promise of an item resolves after the commit. When a statement fails, its batch is split in halves until
 * the failing items are alone, so no item fails because of another one. Inside a transaction an item is written
 * immediately.
 * @throws AppError `unavailable` when 5,000 items are waiting
 */
export function batchWrites<Item, Outcome>(
  options: BatchedWrite<Item, Outcome>,
): (ctx: Pick<Ctx, 'pool' | 'sql'>, item: Item) => Promise<Outcome> {
  const queues = new WeakMap<pg.Pool, Queue<Item, Outcome>>();
  return async (ctx, item) => {
    if (isInTransaction(ctx)) return (await options.write(ctx.sql, [item]))[0] as Outcome;
    const queue = queues.get(ctx.pool) ?? { waiting: [], inProgress: 0 };
    queues.set(ctx.pool, queue);
    if (queue.waiting.length >= maxWaiting) throw new AppError('unavailable');
    const waiter: Waiter<Item, Outcome> = { item, ...Promise.withResolvers<Outcome>() };
    queue.waiting.push(waiter);
    if (queue.inProgress < maxBatchesInProgress) void writeWaiting(poolSql(ctx.pool), queue, options);
    return waiter.promise;
  };
}

type Waiter<Item, Outcome> = PromiseWithResolvers<Outcome> & { item: Item };

interface Queue<Item, Outcome> {
  waiting: Waiter<Item, Outcome>[];
  inProgress: number;
}

async function writeWaiting<Item, Outcome>(
  sql: Sql,
  queue: Queue<Item, Outcome>,
  options: BatchedWrite<Item, Outcome>,
): Promise<void> {
  queue.inProgress++;
  await nextTurn();
  while (queue.waiting.length > 0) await settle(sql, takeBatch(queue, options), options);
  queue.inProgress--;
}

/** Takes the oldest items with different keys from the queue. */
function takeBatch<Item, Outcome>(
  queue: Queue<Item, Outcome>,
  { keyOf }: BatchedWrite<Item, Outcome>,
): Waiter<Item, Outcome>[] {
  const batch = new Map<string, Waiter<Item, Outcome>>();
  const left: Waiter<Item, Outcome>[] = [];
  for (const waiter of queue.waiting) {
    const key = keyOf(waiter.item);
    if (batch.size === maxItems || batch.has(key)) left.push(waiter);
    else batch.set(key, waiter);
  }
  queue.waiting = left;
  return [...batch.values()];
}

async function settle<Item, Outcome>(
  sql: Sql,
  batch: readonly Waiter<Item, Outcome>[],
  options: BatchedWrite<Item, Outcome>,
): Promise<void> {
  try {
    const items = batch.map(({ item }) => item);
    const outcomes = await retryTransient(() => options.write(sql, items));
    batch.forEach(({ resolve }, i) => resolve(outcomes[i] as Outcome));
  } catch (error) {
    // An error without an SQLSTATE is not from PostgreSQL, so the statement may have committed.
    if (batch.length === 1 || sqlState(error) === undefined) return batch.forEach(({ reject }) => reject(error));
    const middle = Math.ceil(batch.length / 2);
    await Promise.all([settle(sql, batch.slice(0, middle), options), settle(sql, batch.slice(middle), options)]);
  }
}
