import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StartError } from '../../process/start-error.ts';
import { sqlState } from '../database-errors.ts';

/** Runs `work` in a transaction on the connection. */
export async function inTransactionOf<Result>(db: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await db.query('begin');
  try {
    const result = await work();
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback').catch(() => undefined);
    throw error;
  }
}

// Requests queue up behind a waiting lock, so it times out before deadlock detection (1 s), which could cancel a
// request.
const lockMs = 300;
const betweenTriesMs = 500;
const maxTries = 240;
const inUse = ['55P03', '40P01'];

/**
 * Runs `work` in a transaction that locks tables in use, and retries until it gets the locks. `before` runs before each
 * attempt.
 * @throws StartError after two minutes
 */
export async function withLocks<Result>(
  db: pg.ClientBase,
  work: () => Promise<Result>,
  before?: () => Promise<void>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      await before?.();
      return await inTransactionOf(db, async () => {
        await db.query(`set local lock_timeout = ${lockMs}`);
        return work();
      });
    } catch (error) {
      if (!inUse.includes(sqlState(error) ?? '')) throw error;
      if (tries === maxTries)
        throw new StartError('The tables were in use for two minutes. End long transactions, then run this again.', {
          cause: error,
        });
      await sleep(betweenTriesMs);
    }
  }
}
