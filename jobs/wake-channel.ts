import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Sql } from '../src/core/database/sql.ts';

const channel = 'tasks';
const reconnectMs = 500;
const windowMs = 50;

const notify = {
  name: 'tasks_notify',
  text: `select pg_notify('${channel}', $1 || ' ' || kind) from unnest($2::text[]) as kinds (kind)`,
};

/** Notifies other processes of kinds with due rows: the first call at once, those of the next 50 ms together. */
export interface WakeSender {
  send(kind: string): void;
  stop(): void;
}

/** `origin` names this process, which ignores its own notifications. Notifications can be lost: workers poll too. */
export function createWakeSender(sql: () => Sql, origin: string, log: Logger): WakeSender {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    const kinds = [...waiting];
    waiting.clear();
    timer = setTimeout(flush, windowMs);
    sql()(notify, [origin, kinds]).catch((error: unknown) =>
      log.warn({ err: error }, 'cannot notify the other workers'),
    );
  };
  return {
    send: (kind) => {
      waiting.add(kind);
      if (!timer) flush();
    },
    stop: () => clearTimeout(timer),
  };
}

interface WakeListenerOptions {
  /** Leads to a session of PostgreSQL: a pooler in transaction mode delivers no notifications. */
  databaseUrl: string;
  origin: string;
  /** A kind has due rows; `null`: notifications may have been missed, so any kind can have some. */
  onWake: (kind: string | null) => void;
  log: Logger;
}

/** Listens on a connection of its own and reconnects until it is stopped. Returns a function that stops it. */
export function listenForWakes({ databaseUrl, origin, onWake, log }: WakeListenerOptions): () => Promise<void> {
  const stopped = new AbortController();

  const listen = async (): Promise<void> => {
    const connection = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      application_name: 'agent-chat-service wakes',
    });
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
      onWake(null);
    } catch (error) {
      await connection.end().catch(() => undefined);
      throw error;
    }
    // Not earlier: a connection that is ended while it connects never emits `end`.
    const hangUp = () => void connection.end().catch(() => undefined);
    if (stopped.signal.aborted) hangUp();
    else stopped.signal.addEventListener('abort', hangUp, { once: true });
    await ended.promise;
    stopped.signal.removeEventListener('abort', hangUp);
  };

  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await listen().catch((error: unknown) => log.warn({ err: error }, 'cannot listen for notifications'));
      await sleep(reconnectMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();

  return async () => {
    stopped.abort();
    await loop;
  };
}
