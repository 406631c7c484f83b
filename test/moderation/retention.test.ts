import { expect, test } from 'vitest';
import { openHarness } from '../support/open-harness.ts';
import { runRecurring } from '../support/jobs.ts';

const seed = `
  insert into users (id, email, username, password_hash, created_at, updated_at)
    values ('usr_1', 'a@example.com', 'a', '', now(), now());
  insert into moderation_cases (id, subject_type, subject_id, is_open, reporters, reports, opened_at, updated_at)
    select 'agent:' || name, 'agent', name, name = 'open', 1, 1, now(), now() - interval '400 days'
    from unnest(array['open', 'closed', 'restricting']) name;
  insert into moderation_restrictions (user_id, case_id, created_at) values ('usr_1', 'agent:restricting', now());
  insert into moderation_reports (id, subject_type, subject_id, reason, status, created_at, decided_at)
    select subject || ' ' || status || ' ' || coalesce(decided::text, ''), 'agent', subject, 'spam', status,
      now() - interval '800 days', now() - make_interval(days => decided)
    from (values ('open', 'received', null), ('closed', 'received', null), ('closed', 'dismissed', 400),
      ('closed', 'actioned', 300)) as r (subject, status, decided);`;

test('reports are kept for a year after they were decided or as long as their case is open, cases as long as they restrict', async () => {
  const harness = await openHarness();
  await harness.query(seed);
  await runRecurring('service.remove-expired', harness.newCtx);
  const column = async (sql: string) => (await harness.query(sql)).map((row) => Object.values(row)[0]);
  expect(await column('select id from moderation_reports order by id')).toEqual([
    'closed actioned 300',
    'open received ',
  ]);
  expect(await column('select subject_id from moderation_cases order by 1')).toEqual(['open', 'restricting']);
});
