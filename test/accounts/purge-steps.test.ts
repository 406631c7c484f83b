import { expect, test } from 'vitest';
import { purgeAccount } from '../../src/accounts/deletion/purge-account.ts';
import { catalog } from '../../src/app/features.ts';
import type { PurgeStep } from '../../src/core/feature.ts';
import { openHarness } from '../support/open-harness.ts';

test('a purge step that fails does not stop later steps, and the rows stay until all have succeeded', async () => {
  const harness = await openHarness();
  await harness.query(`
    insert into users (id, email, username, password_hash, created_at, updated_at, deletion_requested_at)
      values ('usr_1', 'a@example.com', 'a', '', now(), now(), now() - interval '31 days');
    insert into tasks (kind, key, payload, state, run_at, max_attempts, created_at, finished_at)
      values ('billing.sync', 'usr_1', '{}', 'pending', now(), 5, now(), null),
        ('billing.sync', 'usr_1', '{}', 'failed', now(), 5, now(), now()),
        ('billing.sync', 'usr_2', '{}', 'pending', now(), 5, now(), null)`);
  let broken = true;
  const ran: string[] = [];
  const step = (name: string, fails = false): PurgeStep => ({
    name,
    purge: async () => {
      ran.push(name);
      if (fails && broken) throw new Error('the file store is down');
      return { [name]: 2 };
    },
  });
  const purgeSteps = [step('first', true), step('second')];
  const run = {
    attempt: 1,
    signal: new AbortController().signal,
    heartbeat: async () => undefined,
    complete: async () => undefined,
  };
  const purge = () => purgeAccount({ ...harness.newCtx(), catalog: { ...catalog, purgeSteps } }, 'usr_1', run);
  await expect(purge()).rejects.toThrow('failed: first');
  expect(ran).toEqual(['first', 'second']);
  expect(await harness.query('select id from users')).toHaveLength(1);
  broken = false;
  await purge();
  expect(await harness.query('select id from users')).toEqual([]);
  expect(await harness.query('select key from tasks')).toEqual([{ key: 'usr_2' }]);
  expect(await harness.query('select user_id, counts from deletion_receipts')).toEqual([
    { user_id: null, counts: { first: 2, second: 4 } },
  ]);
  await harness.close();
});
