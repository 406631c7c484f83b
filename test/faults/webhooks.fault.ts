import { createHmac } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { countOf } from '../support/fault-report.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import {
  answer,
  type Received,
  startWebhookReceiver,
  trustedAuthority,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const events = countOf({ quick: 600, long: 5_000 });
const kills = countOf({ quick: 3, long: 12 });

let folder: string;
let receiver: WebhookReceiver;
let env: Record<string, string>;
const running = new Set<ServiceProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-webhooks-'));
  const { ca } = await trustedAuthority();
  await writeFile(join(folder, 'ca.pem'), ca);
  receiver = await startWebhookReceiver();
  env = {
    AUTH_SECRET: 's'.repeat(40),
    ENCRYPTION_KEYS: 'e'.repeat(40),
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    RATE_LIMITS: '{"free":1000000,"anonymous":1000000}',
    WEBHOOK_RETRY_DELAYS: '1,1,1',
  };
});
afterEach(async () => {
  await Promise.all([...running].map((service) => service.kill()));
  running.clear();
  receiver.behave(answer(200));
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(more: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess({ ...env, ...more });
  running.add(service);
  return service;
}

async function createWebhook(service: ServiceProcess, types: string[]) {
  const owner = await service.signUp();
  const body = { url: receiver.url, events: types };
  const made = expectStatus(await service.call('POST', '/v1/webhooks', { as: owner.token, body }), 201).body;
  return { owner, id: made.id as string, secret: made.secret as string };
}

/** Inserts events in one transaction, without the service. */
async function commit(db: pg.Pool, accountId: string, count: number): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `insert into outbox_events (id, account_id, type, data, created_at)
     select 'evt_' || gen_random_uuid(), $1, 'agent.updated', json_build_object('n', n), now() from generate_series(1, $2::int) n
     returning id`,
    [accountId, count],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Checks that only committed events arrived, complete, signed and identical each time. Returns how often each arrived. */
function audit(committed: ReadonlySet<string>, secret: string): Map<string, number> {
  const first = new Map<string, Received>();
  const times = new Map<string, number>();
  for (const one of receiver.received) {
    const id: string = one.event.id;
    expect(committed.has(id)).toBe(true);
    expect(one.headers['x-agent-signature']).toBe(createHmac('sha256', secret).update(one.body).digest('hex'));
    expect((first.get(id) ?? one).body.equals(one.body)).toBe(true);
    first.set(id, one);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  return times;
}

test('delivers every event once with two workers', async () => {
  const database = await createTestDatabase();
  const db = new pg.Pool({ connectionString: database.url, max: 2 });
  const [service] = await Promise.all([start({ DATABASE_URL: database.url }), start({ DATABASE_URL: database.url })]);
  const { owner, secret } = await createWebhook(service, ['agent.updated']);
  const committed = await commit(db, owner.id, events);
  await eventually(() => receiver.received.length >= events, { timeoutMs: 60_000 });
  await eventually(
    async () => (await db.query(`select from webhook_deliveries where status <> 'delivered'`)).rowCount === 0,
  );
  const times = audit(committed, secret);
  expect(times.size).toBe(events);
  expect([...times.values()].every((count) => count === 1)).toBe(true);
  await db.end();
  await Promise.all([...running].map((one) => one.kill()));
  await database.drop();
});

test('delivers every event despite kill -9, with at most four attempts, all recorded', async () => {
  const database = await createTestDatabase();
  const db = new pg.Pool({ connectionString: database.url, max: 2 });
  const services = await Promise.all([start({ DATABASE_URL: database.url }), start({ DATABASE_URL: database.url })]);
  const { owner, secret } = await createWebhook(services[0]!, ['agent.updated']);
  receiver.behave((response) => setTimeout(() => response.end(), 30));
  const committed = await commit(db, owner.id, events);

  for (let killed = 0; killed < kills; killed++) {
    const goal = Math.floor((events * (killed + 1)) / (kills + 2));
    await eventually(() => new Set(receiver.received.map(({ event }) => event.id)).size >= goal, { timeoutMs: 60_000 });
    const victim = services.shift()!;
    await victim.kill();
    running.delete(victim);
    services.push(await start({ DATABASE_URL: database.url }));
  }

  await eventually(
    async () => (await db.query(`select from webhook_deliveries where status <> 'delivered'`)).rowCount === 0,
    { timeoutMs: 90_000, what: 'the end of all deliveries' },
  );
  const times = audit(committed, secret);
  expect(times.size).toBe(events);
  const duplicates = receiver.received.length - events;
  expect(duplicates).toBeLessThanOrEqual(64 * kills);
  const { rows } = await db.query<{ attempts: { error: string | null; status: number | null }[]; n: number }>(
    'select attempts, attempt_count as n from webhook_deliveries',
  );
  expect(rows).toHaveLength(events);
  for (const { attempts, n } of rows) {
    expect(n).toBeLessThanOrEqual(4);
    expect(attempts).toHaveLength(n);
    expect(attempts.slice(0, -1).every(({ error }) => error === 'interrupted')).toBe(true);
    expect(attempts.at(-1)).toMatchObject({ status: 200 });
  }
  await db.end();
  await Promise.all([...running].map((one) => one.kill()));
  await database.drop();
}, 300_000);

test('sends nothing after a freeze that another process has taken over', async () => {
  const database = await createTestDatabase();
  const db = new pg.Pool({ connectionString: database.url, max: 2 });
  const frozen = await start({ DATABASE_URL: database.url });
  const { owner, secret } = await createWebhook(frozen, ['agent.updated']);
  // A fast endpoint gets deliveries claimed ahead. When it stops responding, the process holds them.
  const [answered, all] = [400, 500];
  receiver.behave((response) => {
    if (receiver.received.length <= answered) response.end();
  });
  const committed = await commit(db, owner.id, all);
  const inFlight = () => receiver.received.length - answered;
  await eventually(() => inFlight() > 0, { timeoutMs: 30_000 });
  const delivered = `select from webhook_deliveries where status = 'delivered'`;
  await eventually(async () => (await db.query(delivered)).rowCount === answered, { what: 'the recorded outcomes' });
  await eventually(
    async () => (await db.query(`select from webhook_deliveries where lease_token is not null`)).rowCount! > inFlight(),
    { what: 'deliveries that are claimed and not sent' },
  );
  frozen.signal('SIGSTOP');
  // The receiver still reads what was sent before.
  let [sentBefore, sinceMs] = [inFlight(), performance.now()];
  await eventually(
    () => {
      if (inFlight() !== sentBefore) [sentBefore, sinceMs] = [inFlight(), performance.now()];
      return performance.now() - sinceMs > 500;
    },
    { what: 'the receiver has read what was sent' },
  );
  receiver.behave(answer(200));
  await start({ DATABASE_URL: database.url });
  await eventually(async () => (await db.query(delivered)).rowCount === all, {
    timeoutMs: 60_000,
    what: 'the end of all deliveries',
  });
  frozen.signal('SIGCONT');
  await eventually(async () => (await frozen.call('GET', '/readyz')).status === 200);
  const times = audit(committed, secret);
  expect(times.size).toBe(all);
  expect(receiver.received.length - times.size).toBeLessThanOrEqual(sentBefore);
  await db.end();
  await Promise.all([...running].map((one) => one.kill()));
  await database.drop();
});

test('delivers every acknowledged change when PostgreSQL is killed meanwhile', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'acs-webhooks-pg-'));
  const service = await start({ DATA_DIR: dataDir });
  const { owner, secret } = await createWebhook(service, ['agent.created', 'agent.updated']);
  const agent = await service.createAgent(owner.token);
  const acknowledged = new Set<string>();
  const unsure = new Set<string>();
  const change = async (name: string) => {
    const path = `/v1/agents/${agent.id}`;
    const { status } = await service.call('PUT', path, { as: owner.token, body: { name } });
    (status === 200 ? acknowledged : unsure).add(name);
  };
  const rounds = countOf({ quick: 2, long: 10 });
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 30; i++) {
      if (i === 10) process.kill(await postmaster(dataDir), 'SIGKILL');
      const { size } = unsure;
      await change(`round ${round} change ${i}`);
      if (unsure.size > size) await eventually(() => answers(service, owner.token), { timeoutMs: 20_000 });
    }
  }
  const arrived = () => new Set<string>(receiver.received.map(({ event }) => event.data.name));
  await eventually(() => [...acknowledged].every((name) => arrived().has(name)), {
    timeoutMs: 60_000,
    what: 'every acknowledged change',
  });
  expect(acknowledged.size).toBeGreaterThan(rounds * 20);
  expect([...arrived()].filter((name) => !acknowledged.has(name) && !unsure.has(name) && name !== 'Ada')).toEqual([]);
  for (const { body, headers } of receiver.received)
    expect(headers['x-agent-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  service.signal('SIGTERM');
  await service.exited;
  running.delete(service);
  await rm(dataDir, { recursive: true, force: true });
}, 300_000);

const answers = async (service: ServiceProcess, as: string): Promise<boolean> =>
  (await service.call('GET', '/v1/agents', { as })).status === 200;

async function postmaster(dataDir: string): Promise<number> {
  const files = await readdir(dataDir, { recursive: true });
  const file = files.find((name) => name.endsWith('postmaster.pid')) ?? '';
  return Number((await readFile(join(dataDir, file), 'utf8')).split('\n', 1)[0]);
}
