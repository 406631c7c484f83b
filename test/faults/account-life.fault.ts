import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { letLeasesEnd } from '../support/leases.ts';
import { startMailServer } from '../support/mail-server.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let database: { url: string; drop(): Promise<void> };
let dataDir: string;
let db: pg.Pool;
const running = new Set<ServiceProcess>();

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'acs-life-'));
  db = new pg.Pool({ connectionString: database.url, max: 3 });
  db.on('error', () => undefined);
});
afterEach(async () => {
  await Promise.all([...running].map((service) => service.kill()));
  running.clear();
});
afterAll(async () => {
  await db.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ...env,
  });
  running.add(service);
  return service;
}

async function kill(service: ServiceProcess): Promise<void> {
  await service.kill();
  running.delete(service);
}

test('loses no mail while the mail server is down, and sends each once when it is back', async () => {
  const first = await startMailServer();
  const { port, url } = first;
  await first.stop();
  const service = await start({ SMTP_URL: url, MAIL_FROM: 'service@example.com' });
  const people = await Promise.all(Array.from({ length: 5 }, () => service.signUp()));
  await eventually(
    async () => (await db.query(`select 1 from tasks where kind = 'mail' and attempts > 0`)).rows.length > 0,
  );
  const second = await startMailServer({ port });
  await eventually(() => people.every(({ email }) => second.to(email).length > 0), {
    timeoutMs: 40_000,
    what: 'the mails',
  });
  await eventually(async () => (await db.query(`select 1 from tasks where kind = 'mail'`)).rows.length === 0, {
    timeoutMs: 20_000,
  });
  expect(people.map(({ email }) => second.to(email).length)).toEqual([1, 1, 1, 1, 1]);
  await second.stop();
});

test('completes a purge that is killed repeatedly, leaving nothing', async () => {
  let service = await start();
  const ada = await service.signUp();
  const { id, agent_id } = await service.createConversation(ada.token);
  await db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), $1, $2, 1 + n, 'user', 'message ' || n, now() - n * interval '1 ms' from generate_series(1, 10000) n`,
    [id, ada.id],
  );
  expectStatus(await service.call('DELETE', '/v1/auth/me', { as: ada.token }), 200);
  await db.query(`update users set deletion_requested_at = now() - interval '31 days' where id = $1`, [ada.id]);
  await db.query(`update tasks set run_at = now() where payload::text like $1`, [`%${ada.id}%`]);
  for (let kills = 0; kills < 3; kills++) {
    await delay(100 + Math.random() * 400);
    await kill(service);
    await letLeasesEnd(db);
    service = await start();
  }
  const gone = async () => (await db.query(`select 1 from users where id = $1`, [ada.id])).rows.length === 0;
  await eventually(gone, { timeoutMs: 60_000, what: 'the purge' });
  for (const [table, column, value] of [
    ['messages', 'user_id', ada.id],
    ['conversations', 'id', id],
    ['agents', 'id', agent_id],
  ]) {
    expect({ table, rows: (await db.query(`select 1 from ${table} where ${column} = $1`, [value])).rows }).toEqual({
      table,
      rows: [],
    });
  }
  const { rows } = await db.query(
    `select count(*)::int as receipts from deletion_receipts where completed_at is not null`,
  );
  expect(rows).toEqual([{ receipts: 1 }]);
}, 150_000);

test('repeats a killed export completely and once', async () => {
  let service = await start();
  const ada = await service.signUp();
  const { id } = await service.createConversation(ada.token);
  await db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), $1, $2, 1 + n, 'user', repeat(md5(n::text), 60), now() - n * interval '1 ms' from generate_series(1, 10000) n`,
    [id, ada.id],
  );
  const asked = expectStatus(await service.call('POST', '/v1/auth/export-data', { as: ada.token }), 202).body;
  await delay(150);
  await kill(service);
  await letLeasesEnd(db);
  service = await start();
  const ended = async () =>
    (await db.query(`select 1 from data_exports where id = $1 and status <> 'processing'`, [asked.export_id])).rows[0];
  await eventually(ended, { timeoutMs: 60_000, what: 'the export' });
  const { body } = await service.call('GET', `/v1/auth/export-data/${asked.export_id}`, { as: ada.token });
  expect(body.status).toBe('ready');
  const { rows } = await db.query(`select count(*)::int as exports from data_exports where user_id = $1`, [ada.id]);
  expect(rows).toEqual([{ exports: 1 }]);
}, 150_000);
