import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

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
  /** Counts one for the key and says whether that is within `limit` per `windowSeconds`. */
  consume(key: string, limit: number, windowSeconds: number): Promise<RateLimitState>;
}

/** Fixed windows in PostgreSQL; a key over its limit is refused from memory until its window ends. */
export function createRateLimits(pool: pg.Pool): RateLimits {
  const limiters = new Map<string, RateLimiterPostgres>();

  const limiterFor = (limit: number, windowSeconds: number): RateLimiterPostgres => {
    const kind = `${limit}/${windowSeconds}`;
    const limiter =
      limiters.get(kind) ??
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: kind,
        points: limit,
        duration: windowSeconds,
        inMemoryBlockOnConsumed: limit + 1,
      });
    limiters.set(kind, limiter);
    return limiter;
  };

  return {
    async consume(key, limit, windowSeconds) {
      try {
        return stateOf(limit, await limiterFor(limit, windowSeconds).consume(key), false);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return stateOf(limit, refused, true);
        throw refused;
      }
    },
  };
}

function stateOf(limit: number, result: RateLimiterRes, exceeded: boolean): RateLimitState {
  const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  return {
    limit,
    remaining: exceeded ? 0 : Math.max(0, result.remainingPoints),
    resetAt: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
    retryAfterSeconds: exceeded ? seconds : null,
  };
}
