import { expect, test } from 'vitest';
import { purgeExpired } from '../../jobs/purge-expired.ts';
import { runDueTasks } from '../../src/core/task-runner.ts';
import { enqueueTask } from '../../src/core/tasks.ts';
import { openHouse } from '../support/open-house.ts';

test('what has run out goes, however much it is, and what is still good stays', async () => {
  const house = await openHouse();
  await house.query(`
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
  `);
  await enqueueTask(house.newCtx(), purgeExpired.kind, {});
  await runDueTasks([purgeExpired], { newCtx: house.newCtx });
  expect(await house.query('select id from sessions')).toEqual([{ id: 'ses_1' }]);
  expect(await house.query('select count(*)::int as n from refresh_tokens')).toEqual([{ n: 1 }]);
  expect(await house.query('select key from idempotency_keys')).toEqual([{ key: '1' }]);
  expect(await house.query('select kind from tasks')).toEqual([{ kind: 'test.29' }]);
  expect(await house.query('select id from instances order by id')).toEqual([{ id: '0' }, { id: '23' }]);
  await house.close();
});
