import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { letLeasesEnd } from '../support/leases.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: pg.Pool;
const running: ServiceProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-frozen-export-'));
  database = await createTestDatabase();
  db = new pg.Pool({ connectionString: database.url, max: 2 });
});
afterAll(async () => {
  for (const service of running) await service.kill();
  await db.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<ServiceProcess> {
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    AUTH_SECRET: 's'.repeat(40),
    ENCRYPTION_KEYS: 'e'.repeat(40),
  });
  running.push(service);
  return service;
}

const exportTask = `select state, lease_token as token from tasks where kind = 'account.export'`;

test('an export whose process is frozen past its lease is written once, and mailed once', async () => {
  const frozen = await start();
  const ada = await frozen.signUp();
  await frozen.createConversation(ada.token);
  const held = await db.connect();
  // The export waits for the lock in the middle of its archive.
  await held.query('begin; lock table messages in access exclusive mode');
  const { export_id: id } = expectStatus(
    await frozen.call('POST', '/v1/auth/export-data', { as: ada.token }),
    202,
  ).body;
  await eventually(
    async () =>
      (await held.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
        .rowCount,
    { what: 'the export at the lock' },
  );
  frozen.signal('SIGSTOP');
  await held.query('commit');
  held.release();
  const before = (await db.query(exportTask)).rows[0];
  expect(before.state).toBe('running');
  await letLeasesEnd(db);

  const other = await start();
  const state = () => other.call('GET', `/v1/auth/export-data/${id}`, { as: ada.token });
  await eventually(async () => (await state()).body.status === 'ready', { timeoutMs: 60_000, what: 'the export' });
  frozen.signal('SIGCONT');
  await eventually(async () => (await fetch(`${frozen.baseUrl}/readyz`)).ok, { what: 'the frozen instance' });
  await eventually(
    async () => (await db.query(`select from tasks where state = 'running' or run_at <= now()`)).rowCount === 0,
    { what: 'the end of all tasks' },
  );

  const filesOf = async () => (await readdir(folder, { recursive: true })).filter((path) => path.includes(id));
  await eventually(async () => (await filesOf()).length === 1, { what: 'the removal of what the frozen one wrote' });
  expect(await filesOf()).toEqual([expect.stringMatching(/\.zip$/)]);
  const mails = await other.call('GET', `/dev/mail?to=${encodeURIComponent(ada.email)}`, {
    headers: { accept: 'application/json' },
  });
  expect(mails.body.data.filter(({ subject }: { subject: string }) => /export/i.test(subject))).toHaveLength(1);
  const audit = await db.query(`select from audit_events where user_id = $1 and action = 'export.requested'`, [ada.id]);
  expect(audit.rowCount).toBe(1);
  expect((await db.query(`select kind, last_error from tasks where state = 'failed'`)).rows).toEqual([]);
});
