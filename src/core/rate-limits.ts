import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { gatheredSql, type SqlValue, type Statement } from './sql.ts';

/** Where a caller stands in the current window. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends. */
  resetAt: number;
  /** Seconds to wait when the limit is exceeded, else null. */
  retryAfterSeconds: number | null;
}

/** Counts of things per key and window, the same for all instances. */
export interface RateLimits {
  /**
   * Counts one for the key and says whether that is within `limit` per `windowSeconds`. The first that is not starts
   * a lock of `lockSeconds`, when given.
   */
  consume(key: string, limit: number, windowSeconds: number, lockSeconds?: number): Promise<RateLimitState>;
  /** Forgets what was counted with the same numbers. */
  forget(key: string, limit: number, windowSeconds: number, lockSeconds?: number): Promise<void>;
}

declare module './ctx.ts' {
  interface Ports {
    rateLimits: RateLimits;
  }
}

/** Fixed windows in PostgreSQL; a key over its limit is refused from memory until its window ends. */
export function createRateLimits(pool: pg.Pool): RateLimits {
  const limiters = new Map<string, RateLimiterPostgres>();
  const sql = gatheredSql(pool);
  const storeClient = {
    query: async ({ values, ...statement }: Statement & { values: SqlValue[] }) => ({
      rows: await sql(statement, values),
    }),
  };

  const limiterFor = (limit: number, windowSeconds: number, lockSeconds: number): RateLimiterPostgres => {
    const kind = lockSeconds ? `${limit}/${windowSeconds}/${lockSeconds}` : `${limit}/${windowSeconds}`;
    const limiter =
      limiters.get(kind) ??
      new RateLimiterPostgres({
        storeClient,
        storeType: 'client',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: kind,
        points: limit,
        duration: windowSeconds,
        blockDuration: lockSeconds,
        inMemoryBlockOnConsumed: limit + 1,
      });
    limiters.set(kind, limiter);
    return limiter;
  };

  /** Who waits for a key whose statement is on its way. */
  const queues = new Map<string, Waiter[]>();

  /** Counts everybody who waits with one statement, until nobody does. */
  const serve = async (name: string, queue: Waiter[], limiter: RateLimiterPostgres, key: string): Promise<void> => {
    while (queue.length > 0) {
      const served = queue.splice(0);
      const outcome = await take(limiter, key, served.length).catch((error: unknown) => ({ error }));
      served.forEach((waiter, i) => {
        if ('error' in outcome) waiter.reject(outcome.error);
        else waiter.resolve(stateOf(limiter.points, outcome, served.length - 1 - i));
      });
    }
    queues.delete(name);
  };

  return {
    consume(key, limit, windowSeconds, lockSeconds = 0) {
      const waiter = Promise.withResolvers<RateLimitState>();
      const limiter = limiterFor(limit, windowSeconds, lockSeconds);
      const name = limiter.getKey(key);
      const queue = queues.get(name);
      // Parallel requests of one caller would only wait for each other's lock on the same row.
      if (queue) queue.push(waiter);
      else {
        const own = [waiter];
        queues.set(name, own);
        void serve(name, own, limiter, key);
      }
      return waiter.promise;
    },
    async forget(key, limit, windowSeconds, lockSeconds = 0) {
      await limiterFor(limit, windowSeconds, lockSeconds).delete(key);
    },
  };
}

type Waiter = PromiseWithResolvers<RateLimitState>;

/** Counts and answers where the key stands, also when that is over its limit. */
async function take(limiter: RateLimiterPostgres, key: string, points: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, points);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
}

/** `after`: how many of those that were counted together come after this one. */
function stateOf(limit: number, result: RateLimiterRes, after: number): RateLimitState {
  const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  // A key that is blocked in memory is not counted any more.
  const consumed = result.consumedPoints === 0 ? Infinity : result.consumedPoints - after;
  const exceeded = consumed > limit;
  return {
    limit,
    remaining: exceeded ? 0 : limit - consumed,
    resetAt: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
    retryAfterSeconds: exceeded ? seconds : null,
  };
}
