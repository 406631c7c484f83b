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
  /** Seconds to wait when the limit is exceeded, else null. */
  retryAfterSeconds: number | null;
}

/** Counters per key and window, the same for all instances. */
export interface RateLimits {
  /**
   * Counts one for the key, with at most `limit` allowed per `windowSeconds`. The first request above the limit starts a
   * lock of `lockSeconds`, when given.
   */
  consume(key: string, limit: number, windowSeconds: number, lockSeconds?: number): Promise<RateLimitState>;
  /**
   * Counts one for a key that many credentials count against: in memory, shared with the other instances within 100 ms or
   * after 1 % of the limit. Exact on one instance; each further one may admit what it has not shared yet. What is refused
   * does not count.
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

/** Fixed windows in PostgreSQL; a key over its limit is refused from memory until its window ends. */
export function createRateLimits(pool: pg.Pool): RateLimits {
  const sql = gatheredSql(pool);
  const exhausted = createExhaustedCounters();
  const tallies = createTallies(sql);
  /** Requests that wait for a counter whose statement is under way. */
  const queues = new Map<string, Waiter[]>();

  /** Counts all waiting requests with one statement, until there are none. */
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
      // One statement per counter at a time: parallel ones would only wait for the lock on its row.
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

/** `after`: how many of the requests that were counted together come after this one. */
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
