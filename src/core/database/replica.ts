import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Ctx } from '../ctx.ts';
import { withTimeout } from '../waiting/with-timeout.ts';
import { asUnavailable, sqlState } from './database-errors.ts';
import { openPool } from './open-pool.ts';
import type { Sessions } from './sessions.ts';
import { gatheredSql, poolSql, type Sql } from './sql.ts';
import { ctxOn, isInTransaction } from './transaction.ts';

declare module '../ctx.ts' {
  interface Ports {
    /** Null when `DATABASE_REPLICA_URL` is not set. */
    replica: Replica | null;
  }
}

/** A streaming replica for reads. */
export interface Replica {
  pool: pg.Pool;
  sql: Sql;
  /**
   * Waits up to 100 ms until the replica has everything that any instance committed before the call. Returns false if
   * it takes longer or is a replica of another database, and for one second after that or after `suspend`.
   */
  hasCaughtUp(): Promise<boolean>;
  /** Excludes the replica for one second. */
  suspend(reason: unknown): void;
  close(): Promise<void>;
}

interface ReplicaOptions {
  url: string;
  poolSize: number;
  /** Connection pool of the primary. */
  primary: pg.Pool;
  sessions?: Sessions;
  log: Logger;
}

interface Identity {
  cluster: string;
  name: string;
}

const patienceMs = 100;
const suspendedMs = 1_000;
const queryTimeoutMs = 5_000;
const pausesMs = [0, 1, 2, 4, 8, 16, 32, 32];

const positionOfPrimary = { name: 'replica_wanted', text: `select pg_current_wal_flush_lsn()::text as position` };
const identity = {
  name: 'replica_identity',
  text: `select system_identifier::text as cluster, current_database() as name from pg_control_system()`,
};
// A replica that was promoted has its own history, so its position cannot be compared.
const positionOfReplica = {
  name: 'replica_reached',
  text: `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasIt"`,
};

export function openReplica({ url, poolSize, primary, sessions, log }: ReplicaOptions): Replica {
  const pool = openPool({
    url,
    use: 'reads',
    sessions,
    size: poolSize,
    queryTimeoutMs,
    settings: { statement_timeout: queryTimeoutMs, jit: 'off' },
    onLost: (error) => suspend(error),
  });
  let suspendedUntilMs = 0;
  let isUsed = true;

  function suspend(reason: unknown): void {
    suspendedUntilMs = performance.now() + suspendedMs;
    if (isUsed) log.warn({ err: reason }, 'the replica is not used: it is behind or does not respond');
    isUsed = false;
  }

  let isSame: Promise<void> | undefined;

  /** Positions of unrelated servers can be compared, too. @throws Error */
  async function requireSameDatabase(): Promise<void> {
    const [own, other] = await Promise.all([primary, pool].map((each) => each.query<Identity>(identity)));
    if (!isDeepStrictEqual(own?.rows, other?.rows))
      throw new Error('DATABASE_REPLICA_URL is not a replica of the database of DATABASE_URL');
  }

  /** Both statements are shared by the requests of one turn of the event loop. */
  async function reach(): Promise<boolean> {
    isSame ??= requireSameDatabase().catch((error: unknown) => {
      isSame = undefined;
      throw error;
    });
    await isSame;
    const [wanted] = await gatheredSql(primary)<{ position: string }>(positionOfPrimary);
    for (const pauseMs of pausesMs) {
      if (pauseMs > 0) await sleep(pauseMs);
      const [reached] = await gatheredSql(pool)<{ hasIt: boolean | null }>(positionOfReplica, [
        wanted?.position ?? null,
      ]);
      if (reached?.hasIt) return true;
    }
    return false;
  }

  return {
    pool,
    sql: poolSql(pool),
    suspend,
    hasCaughtUp: async () => {
      if (performance.now() < suspendedUntilMs) return false;
      try {
        const hasIt = await withTimeout(reach(), patienceMs, () => false);
        if (!hasIt) suspend(new Error(`it was not up to date within ${patienceMs} ms`));
        else if (!isUsed) log.info('the replica is used again');
        isUsed ||= hasIt;
        return hasIt;
      } catch (error) {
        suspend(error);
        return false;
      }
    },
    close: () => pool.end(),
  };
}

/**
 * Wraps a read-only operation so that it runs on the replica if there is one. It sees at least everything that was
 * committed before it began, so callers always see their own writes. It runs on the primary inside a transaction, or
 * when the replica lags or fails.
 */
export const onReplica =
  <Args extends unknown[], Result>(read: (ctx: Ctx, ...args: Args) => Promise<Result>) =>
  async (ctx: Ctx, ...args: Args): Promise<Result> => {
    const { replica } = ctx.ports;
    const isEligible = replica && ctx.sql !== replica.sql && !isInTransaction(ctx);
    if (!isEligible || !(await replica.hasCaughtUp())) return read(ctx, ...args);
    try {
      return await read(ctxOn(ctx, replica), ...args);
    } catch (error) {
      if (!isFaultOfReplica(error)) throw error;
      replica.suspend(error);
      return read(ctx, ...args);
    }
  };

const tooLong = '57014';

/** A statement timeout is no fault of the replica: the statement would take too long on the primary as well. */
const isFaultOfReplica = (error: unknown): boolean => asUnavailable(error) !== error && sqlState(error) !== tooLong;
