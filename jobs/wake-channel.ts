import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { sessionName } from '../src/core/database/open-pool.ts';
import type { Sessions } from '../src/core/database/sessions.ts';
import type { Sql } from '../src/core/database/sql.ts';

const channel = 'tasks';
const reconnectMs = 500;
const windowMs = 50;

const notify = {
  name: 'tasks_notify',
  text: `select pg_notify('${channel}', $1 || ' ' || kind) from unnest($2::text[]) as kinds (kind)`,
};

/**
 * How long a greeting counts, in milliseconds. It is longer than the lease of an instance, so by then the heartbeat of
 * the other process has been seen.
 */
const greetedForMs = 15_000;
const greeting = 'greeting';

/** Notifies other processes of kinds with due rows: the first call immediately, those of the next 50 ms together. */
export interface WakeSender {
  /**
   * Sends a notification; a no-op while no other process is known, because a notification costs PostgreSQL a commit.
   */
  send(kind: string): void;
  /** Announces this process to those that have not seen its heartbeat yet. */
  greet(): void;
  /** Notes that another process has notified this one. */
  noteOther(): void;
  stop(): void;
}

interface WakeSenderOptions {
  sql: () => Sql;
  /** Identifies this process, which ignores its own notifications. */
  origin: string;
  hasOthers: () => boolean;
  log: Logger;
}

/** Creates a sender. Notifications can be lost, so workers poll too. */
export function createWakeSender({ sql, origin, hasOthers, log }: WakeSenderOptions): WakeSender {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let greetedAtMs = -Infinity;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    const kinds = [...waiting];
    waiting.clear();
    timer = setTimeout(flush, windowMs);
    sql()(notify, [origin, kinds]).catch((error: unknown) =>
      log.warn({ err: error }, 'could not notify the other workers'),
    );
  };
  const enqueue = (kind: string) => {
    waiting.add(kind);
    if (!timer) flush();
  };
  return {
    send: (kind) => {
      if (hasOthers() || performance.now() - greetedAtMs < greetedForMs) enqueue(kind);
    },
    greet: () => enqueue(greeting),
    noteOther: () => {
      greetedAtMs = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}

interface WakeListenerOptions {
  /** Connects to a session of PostgreSQL: a pooler in transaction mode delivers no notifications. */
  databaseUrl: string;
  sessions?: Sessions;
  origin: string;
  /** Called when listening starts. Earlier notifications may have been missed, so any kind can have due rows. */
  onListening: () => void;
  /** Called when another process reports that a kind has due rows. */
  onWake: (kind: string) => void;
  log: Logger;
}

/** Listens on a separate connection and reconnects until stopped. Returns a function that stops it. */
export function listenForWakes({
  databaseUrl,
  sessions,
  origin,
  onListening,
  onWake,
  log,
}: WakeListenerOptions): () => Promise<void> {
  const stopped = new AbortController();

  const listen = async (): Promise<void> => {
    const connection = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      application_name: sessionName('notifications'),
    });
    sessions?.watch('notifications', connection);
    const ended = Promise.withResolvers<void>();
    connection.once('end', () => ended.resolve());
    connection.on('error', (error) => log.warn({ err: error }, 'lost the connection that listens for notifications'));
    connection.on('notification', ({ payload = '' }) => {
      const [from, kind] = payload.split(' ', 2);
      if (kind && from !== origin) onWake(kind);
    });
    try {
      await connection.connect();
      await connection.query(`listen ${channel}`);
      onListening();
    } catch (error) {
      await connection.end().catch(() => undefined);
      throw error;
    }
    // Registered only now, because a connection that is ended while it connects never emits `end`.
    const hangUp = () => void connection.end().catch(() => undefined);
    if (stopped.signal.aborted) hangUp();
    else stopped.signal.addEventListener('abort', hangUp, { once: true });
    await ended.promise;
    stopped.signal.removeEventListener('abort', hangUp);
  };

  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await listen().catch((error: unknown) =>
        log.warn({ err: error }, 'could not listen for notifications, will retry'),
      );
      await sleep(reconnectMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();

  return async () => {
    stopped.abort();
    await loop;
  };
}
