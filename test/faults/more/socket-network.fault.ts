import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/core/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../../src/core/process/log.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { openSocket, subscribe } from '../../support/socket.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import {
  type FaultHarness,
  findPostmaster,
  openConversations,
  openFaultHarness,
  signUpCreator,
} from './fault-harness.ts';
import { follow, storedPositions } from './socket-readers.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

interface Writing {
  accepted(): number;
  stop(): Promise<void>;
}

/** Sends one message after another, to each instance in turn. */
function write(instances: readonly ServiceProcess[], token: string, conversation: string): Writing {
  const over = new AbortController();
  let accepted = 0;
  const writing = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const body = { content: `message ${n}` };
      const target = instances[n % instances.length]!;
      const { status } = await target
        .call('POST', `/v1/conversations/${conversation}/messages`, { as: token, body })
        .catch(() => ({ status: 0 }));
      if (status === 201) accepted++;
      else await sleep(100);
    }
  })();
  return { accepted: () => accepted, stop: () => (over.abort(), writing) };
}

const readersEach = countOf({ quick: 10, long: 100 });

/** Causes faults while sockets on all instances follow an active conversation, then compares what they received. */
async function underSockets(instances: readonly ServiceProcess[], db: pg.Pool, breakThings: () => Promise<void>) {
  const { token } = await signUpCreator(instances[0]!, db);
  const [id = ''] = await openConversations(instances[0]!, token, 1);
  const readers = instances.flatMap((instance) =>
    Array.from({ length: readersEach }, () => follow(() => [instance], token, id)),
  );
  const writing = write(instances, token, id);
  await eventually(() => writing.accepted() > 0);
  await breakThings();
  const before = writing.accepted();
  await eventually(() => writing.accepted() > before + 2, { timeoutMs: 90_000 });
  await writing.stop();
  const behind = () => readers.map(({ positions, breaks }) => `${positions.length} ${breaks.join(', ')}`).join('; ');
  const stored = await eventually(
    async () => {
      const positions = await storedPositions(db, id);
      return readers.every((reader) => reader.positions.length === positions.length) ? positions : null;
    },
    { timeoutMs: 90_000 },
  ).catch((error: unknown) => {
    throw new Error(`readers with so many messages: ${behind()}`, { cause: error });
  });
  for (const { positions, stop } of readers) {
    expect(positions).toEqual(stored);
    stop();
  }
  const breaks = readers.reduce((sum, reader) => sum + reader.breaks.length, 0);
  const checked = `${stored.length * readers.length} messages, each in its place`;
  return { checked, note: `${breaks} subscriptions were renewed` };
}

test('sends every message once and in order to sockets that stay open while PostgreSQL is restarted', async ({
  task,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'acs-sockets-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLogger('silent') });
  const db = new pg.Pool({ connectionString: postgres.url, max: 3 });
  db.on('error', () => undefined);
  try {
    const env = { DATABASE_URL: postgres.url };
    const instances = [await harness.start(env), await harness.start({ ...env, ROLE: 'web' })];
    const restarts = countOf({ quick: 2, long: 10 });
    const { checked, note } = await underSockets(instances, db, async () => {
      for (let restart = 0; restart < restarts; restart++) {
        const pid = await findPostmaster(dataDir);
        process.kill(pid, 'SIGINT');
        await eventually(async () => (await findPostmaster(dataDir).catch(() => pid)) !== pid);
        await eventually(() =>
          db.query('select 1').then(
            () => true,
            () => false,
          ),
        );
        await sleep(1_000);
      }
    });
    report({ task }, { times: `${restarts} restarts`, checked, note });
  } finally {
    await harness.killAll();
    await db.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 300_000);

test('sends every message to sockets although the connections that hear notifications are cut', async ({ task }) => {
  const instances = [await harness.start(), await harness.start({ ROLE: 'web' })];
  const cuts = countOf({ quick: 20, long: 200 });
  let cut = 0;
  const { checked, note } = await underSockets(instances, harness.db, async () => {
    for (let n = 0; n < cuts; n++) {
      const { rowCount } = await harness.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ilike 'listen%'`,
      );
      cut += rowCount ?? 0;
      await sleep(200);
    }
  });
  expect(cut).toBeGreaterThan(0);
  report({ task }, { times: `${cut} connections cut`, checked, note });
}, 300_000);

test('frees a socket whose client is gone without a word within 90 s, and the client resumes without a gap', async ({
  task,
}) => {
  const service = await harness.start();
  const proxy = await startTcpProxy(service.baseUrl);
  try {
    const { token, id: userId } = await signUpCreator(service, harness.db);
    const [id = ''] = await openConversations(service, token, 1);
    const lost = await openSocket(proxy.url.replace(/\/$/, ''), token);
    const { offset } = await subscribe(lost, '1', `conversation:${id}`);
    const openSockets = async (): Promise<number> => {
      const sql = 'select connections from account_sockets where user_id = $1';
      return (await harness.db.query<{ connections: number }>(sql, [userId])).rows[0]?.connections ?? 0;
    };
    await eventually(async () => (await openSockets()) === 1);
    proxy.mode = 'hang';
    const startMs = performance.now();
    for (const content of ['one', 'two', 'three'])
      await service.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content } });
    await eventually(async () => (await openSockets()) === 0, { timeoutMs: 90_000, what: 'the end of the socket' });
    const seconds = (performance.now() - startMs) / 1_000;
    const again = await openSocket(service.baseUrl, token);
    expect(await subscribe(again, '1', `conversation:${id}`, offset)).toMatchObject({ resumed: 'caught_up' });
    const stored = await storedPositions(harness.db, id);
    expect(stored).toHaveLength(6);
    await again.take((frame) => frame.offset === String(stored.at(-1)));
    const sent = again.frames.filter(({ type }) => type === 'message.created').map((frame) => Number(frame.offset));
    expect(sent).toEqual(stored);
    again.close();
    lost.socket.terminate();
    report(
      { task },
      { times: '1 half-open connection', checked: '6 messages', note: `freed after ${seconds.toFixed(0)} s` },
    );
  } finally {
    await proxy.stop();
  }
}, 180_000);
