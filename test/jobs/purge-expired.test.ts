import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { catalog } from '../../src/app/features.ts';
import { createLogger } from '../../src/core/process/log.ts';
import { openFileStore } from '../../src/providers/files/file-store.ts';
import type { Ctx } from '../../src/core/ctx.ts';
import { openHarness } from '../support/open-harness.ts';
import { runRecurring } from '../support/jobs.ts';

/** A harness with an empty file store. */
const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'acs-purge-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return openHarness({ ports: { files: await openFileStore(`file://${folder}`, createLogger('silent')) } });
};

const seed = `
  insert into users (id, email, username, password_hash, created_at, updated_at)
    values ('usr_1', 'a@example.com', 'a', '', now(), now());
  insert into sessions (id, user_id, created_at, last_used_at, expires_at)
    select 'ses_' || n, 'usr_1', now(), now(), now() + make_interval(hours => n) from (values (-1), (1)) as h (n);
  insert into refresh_tokens (hash, session_id, created_at, expires_at)
    select sha256(n::text::bytea), 'ses_1', now(), now() + case when n = 0 then 1 else -1 end * interval '1 hour'
    from generate_series(0, 2500) as n;
  insert into idempotency_keys (user_id, key, method, path, request_hash, locked_until, created_at, expires_at)
    select 'usr_1', n::text, 'POST', '/v1/agents', '', now(), now(), now() + make_interval(hours => n)
    from (values (-1), (1)) as h (n);
  insert into tasks (kind, payload, state, run_at, max_attempts, created_at, finished_at)
    select 'test.' || n, '{}', 'failed', now(), 5, now(), now() - make_interval(days => n) from (values (29), (31)) as d (n);
  insert into instances (id, started_at, heartbeat_at)
    select n::text, now(), now() - make_interval(hours => n) from (values (0), (23), (25)) as h (n);
  insert into audit_events (id, user_id, action, created_at)
    select 'aud_' || lpad(n::text, 5, '0'), 'usr_1', 'logout', now() - make_interval(days => 2000 - n)
    from generate_series(0, 2000) as n;
  insert into api_keys (id, user_id, name, hash, key_hint, scopes, created_at, revoked_at, expires_at)
    select 'key_' || n, 'usr_1', 'k', sha256(n::text::bytea), '', '{agents:read}', now(),
      case when n < 3 then now() - make_interval(days => n * 60) end, case when n = 3 then now() + interval '1 day' end
    from generate_series(1, 4) as n;
  insert into usage_counters (user_id, day, messages)
    select 'usr_1', current_date - n, 1 from (values (0), (89), (92)) as d (n);
  insert into data_exports (id, user_id, status, requested_at, completed_at)
    select 'exp_' || n, 'usr_1', 'failed', now(), now() - make_interval(days => n) from (values (29), (31)) as d (n);
  insert into outbox_mails (id, user_id, recipient, subject, sealed, created_at)
    select 'mail_' || n, 'usr_1', 'a@example.com', '', '', now() - make_interval(days => n) from (values (29), (31)) as d (n);
  insert into processor_events (id, type, created_at, received_at)
    select n::text, 'x', now(), now() - make_interval(days => n) from (values (29), (31)) as d (n);`;

test('removes what has expired, however much it is, and keeps the rest', async () => {
  const harness = await open();
  await harness.query(seed);
  await runRecurring('service.remove-expired', harness.newCtx);
  const column = async (sql: string) => (await harness.query(sql)).map((row) => Object.values(row)[0]);
  expect(await column('select id from sessions')).toEqual(['ses_1']);
  expect(await column('select count(*)::int from refresh_tokens')).toEqual([1]);
  expect(await column('select key from idempotency_keys')).toEqual(['1']);
  expect(await column('select kind from tasks')).toEqual(['test.29']);
  expect(await column('select id from instances order by id')).toEqual(['0', '23']);
  expect(await column(`select count(*)::int from audit_events where created_at < now() - interval '366 days'`)).toEqual(
    [0],
  );
  expect(await column('select count(*)::int from audit_events')).toEqual([365]);
  expect(await column('select id from api_keys order by id')).toEqual(['key_1', 'key_3', 'key_4']);
  expect(await column('select count(*)::int from usage_counters')).toEqual([2]);
  expect(await column('select id from data_exports')).toEqual(['exp_29']);
  expect(await column('select id from outbox_mails')).toEqual(['mail_29']);
  expect(await column('select id from processor_events')).toEqual(['29']);
  await harness.close();
});

test('runs the steps after one that fails, and is retried', async () => {
  const harness = await open();
  await harness.query(seed);
  const [first, ...others] = catalog.expiries;
  const failing = { name: first?.name ?? '', remove: () => Promise.reject(new Error('broken')) };
  const newCtx = (): Ctx => ({ ...harness.newCtx(), catalog: { ...catalog, expiries: [failing, ...others] } });
  await runRecurring('service.remove-expired', newCtx);
  expect(await harness.query('select id from sessions')).toEqual([{ id: 'ses_1' }]);
  expect(await harness.query(`select state from tasks where kind = 'service.remove-expired'`)).toEqual([
    { state: 'pending' },
  ]);
  await harness.close();
});
