import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Sql } from '../src/core/sql.ts';

const channel = 'tasks';
const reconnectMs = 500;
const windowMs = 50;

const notify = {
  name: 'tasks_notify',
  text: `select pg_notify('${channel}', $1 || ' ' || kind) from unnest($2::text[]) as kinds (kind)`,
};

/** Tells other processes that kinds have due rows: the first call goes out at once, those of the next 50 ms as one. */
export interface WakeSender {
  send(kind: string): void;
  stop(): void;
}

/** `origin` names this process, so that it does not hear itself. A lost notification is made good by the sweep. */
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
      log.warn({ err: error }, 'could not wake the other workers'),
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
  databaseUrl: string;
  origin: string;
  /** A kind has due rows; `null`: notifications may have been missed, so any kind can have some. */
  onWake: (kind: string | null) => void;
  log: Logger;
}

/** Listens on a connection of its own and connects again for as long as it takes. Answers how to stop it. */
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
    connection.on('error', (error) => log.warn({ err: error }, 'lost the connection that listens for tasks'));
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
    // Only now: a connection that is ended while it is being made never says that it ended.
    const hangUp = () => void connection.end().catch(() => undefined);
    if (stopped.signal.aborted) hangUp();
    else stopped.signal.addEventListener('abort', hangUp, { once: true });
    await ended.promise;
    stopped.signal.removeEventListener('abort', hangUp);
  };

  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await listen().catch((error: unknown) => log.warn({ err: error }, 'cannot listen for tasks'));
      await sleep(reconnectMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();

  return async () => {
    stopped.abort();
    await loop;
  };
}
