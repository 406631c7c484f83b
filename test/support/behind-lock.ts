import type { TestApp } from './app.ts';
import { eventually } from './eventually.ts';

const waiting = `
  select count(*)::integer as total from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * Sends requests that all need the same row, each once those before it wait for the row, and then frees the row, so that
 * they get it in this order. `lock` is the statement that holds the row meanwhile, and `whileWaiting` runs when all
 * requests wait. Returns the answers in order.
 */
export async function behindLock<Answer>(
  { db }: Pick<TestApp, 'db'>,
  [lock, ...values]: readonly [string, ...unknown[]],
  requests: readonly (() => Promise<Answer>)[],
  whileWaiting: () => Promise<void> = async () => undefined,
): Promise<Answer[]> {
  const holder = await db.connect();
  try {
    await holder.query('begin');
    await holder.query(lock, values);
    const answers: Promise<Answer>[] = [];
    for (const request of requests) {
      answers.push(request());
      await eventually(async () => ((await db.query(waiting)).rows[0].total >= answers.length ? true : null));
    }
    await whileWaiting();
    await holder.query('commit');
    return await Promise.all(answers);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}
