import type pg from 'pg';
import { gatheredSql } from '../database/sql.ts';
import {
  addPoints,
  type CountedPoints,
  type Counter,
  createExhaustedCounters,
  removeCounter,
} from './rate-limit-counters.ts';
import { createTallies } from './rate-limit-tallies.ts';

/** State of a caller's current window after a request. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends. */
  resetAt: number;
  /** Seconds to wait when the limit is exceeded; otherwise null. */
  retryAfterSeconds: number | null;
}

/** Counters for each key and window, shared by all instances. */
export interface RateLimits {
  /**
   * Counts one request for the key; at most `limit` are allowed per `windowSeconds`. The first request above the limit
   * starts a lock of `lockSeconds`, if given.
   */
  consume(key: string, limit: number, windowSeconds: number, lockSeconds?: number): Promise<RateLimitState>;
  /**
   * Counts one request for a key that many credentials share. Counts in memory and shares the points with the other
   * instances within 100 ms or after 1 % of the limit. Exact on one instance; each additional one may admit requests
   * that it has not shared yet. Rejected requests are not counted.
   */
  tally(key: string, limit: number, windowSeconds: number): Promise<RateLimitState>;
  /** Resets the counter of the key with these limits. */
  forget(key: string, limit: number, windowSeconds: number, lockSeconds?: number): Promise<void>;
}

declare module '../ctx.ts' {
  interface Ports {
    rateLimits: RateLimits;
  }
}

type Waiter = PromiseWithResolvers<RateLimitState>;

/**
 * Creates rate limits with fixed windows in PostgreSQL. A key over its limit is rejected from memory until its window
 * ends.
 */
export function createRateLimits(pool: pg.Pool): RateLimits {
  const sql = gatheredSql(pool);
  const exhausted = createExhaustedCounters();
  const tallies = createTallies(sql);
  /** Requests that wait for a counter whose statement is running. */
  const queues = new Map<string, Waiter[]>();

  /** Counts the waiting requests of a counter, each time with one statement for all of them, until none are left. */
  const serve = async (counter: Counter, queue: Waiter[]): Promise<void> => {
    while (queue.length > 0) {
      const served = queue.splice(0);
      const outcome = await addPoints(sql, counter, served.length).catch((error: unknown) => ({ error }));
      if (!('error' in outcome) && outcome.points > counter.limit) exhausted.add(counter.name, outcome);
      served.forEach((waiter, i) => {
        if ('error' in outcome) waiter.reject(outcome.error);
        else waiter.resolve(stateOf(counter, outcome, served.length - 1 - i));
      });
    }
    queues.delete(counter.name);
  };

  return {
    consume(key, limit, windowSeconds, lockSeconds = 0) {
      const counter = counterOf(key, limit, windowSeconds, lockSeconds);
      const over = exhausted.find(counter.name);
      if (over) return Promise.resolve(stateOf(counter, over, 0));
      const waiter = Promise.withResolvers<RateLimitState>();
      const queue = queues.get(counter.name);
      // One statement per counter at a time: concurrent ones would only wait for the lock on its row.
      if (queue) queue.push(waiter);
      else {
        const own = [waiter];
        queues.set(counter.name, own);
        void serve(counter, own);
      }
      return waiter.promise;
    },
    async tally(key, limit, windowSeconds) {
      const counter = counterOf(key, limit, windowSeconds, 0);
      return stateOf(counter, await tallies.count(counter), 0);
    },
    async forget(key, limit, windowSeconds, lockSeconds = 0) {
      const { name } = counterOf(key, limit, windowSeconds, lockSeconds);
      await removeCounter(sql, name);
      exhausted.remove(name);
    },
  };
}

const counterOf = (key: string, limit: number, windowSeconds: number, lockSeconds: number): Counter => ({
  name: `${limit}/${windowSeconds}${lockSeconds ? `/${lockSeconds}` : ''}:${key}`,
  limit,
  windowMs: windowSeconds * 1_000,
  lockMs: lockSeconds * 1_000,
});

/** Returns the state for one of several requests that were counted together; `after` of them were counted after it. */
function stateOf({ limit }: Counter, { points, msLeft, endsAt }: CountedPoints, after: number): RateLimitState {
  const consumed = points - after;
  const exceeded = consumed > limit;
  return {
    limit,
    remaining: exceeded ? 0 : limit - consumed,
    resetAt: Math.ceil(endsAt / 1000),
    retryAfterSeconds: exceeded ? Math.max(1, Math.ceil(msLeft / 1000)) : null,
  };
}
