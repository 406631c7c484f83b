import type pg from 'pg';

declare module '../ctx.ts' {
  interface Ports {
    sessions: Sessions;
  }
}

/** Purpose of a session outside the request pool. */
export type SessionUse = 'heartbeat' | 'notifications' | 'schedule' | 'reads';

/** Sessions of this process outside its request pool. */
export interface Sessions {
  /** Number of open sessions for each use. */
  readonly open: ReadonlyMap<SessionUse, number>;
  /** Counts the sessions of a pool, or of a client that has not connected yet. */
  watch(use: SessionUse, source: pg.Pool | pg.Client): void;
}

export function countSessions(): Sessions {
  const open = new Map<SessionUse, number>();
  const add = (use: SessionUse, change: number) => open.set(use, (open.get(use) ?? 0) + change);
  return {
    open,
    watch: (use, source) => {
      add(use, 0);
      const opened = (client: pg.ClientBase) => {
        add(use, 1);
        client.once('end', () => add(use, -1));
      };
      // A client emits `connect` without an argument; a pool passes the client.
      (source as pg.Pool).on('connect', (client?: pg.ClientBase) => opened(client ?? (source as pg.Client)));
    },
  };
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Calls `observe` with the waiting time in seconds of each operation that found no idle connection in the pool. */
export function observePoolWaits(pool: pg.Pool, observe: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as (callback?: Connected) => Promise<pg.PoolClient> | undefined;
  const observed = (callback?: Connected): Promise<pg.PoolClient> | undefined => {
    if (pool.idleCount > pool.waitingCount) return connect(callback);
    const startedMs = performance.now();
    const end = () => observe((performance.now() - startedMs) / 1_000);
    if (!callback) return connect()?.finally(end);
    return connect((...result) => {
      end();
      callback(...result);
    });
  };
  pool.connect = observed as pg.Pool['connect'];
}
