import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeOldPeople } from '../../src/studio/analytics/sums/remove-old-people.ts';
import { sumPeople } from '../../src/studio/analytics/sums/sum-people.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { firstSums } from '../support/agent-use.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let ada: Account;
let agents: string[];

const dayMs = 86_400_000;
/** Figures of a day can still change for this long after it ends. */
const openMinutes = 10;
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const monday = (day: string): string =>
  new Date(Date.parse(day) - ((new Date(day).getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10);

/** Inserts a year of use of two agents by up to nine of 14 people a day, in two versions and from two sources. */
beforeAll(async () => {
  app = await startTestApp();
  await firstSums(app);
  await app.db.query(`delete from studio_sums`);
  ada = await app.signUp({ plan: 'creator' });
  agents = [(await app.createAgent(ada.token)).id, (await app.createAgent(ada.token)).id];
  await app.db.query(
    `insert into users (id, email, username, password_hash, plan, created_at, updated_at)
     select 'usr_year_' || n, n || '@year.example', 'year' || n, '', 'plus', now(), now() from generate_series(1, 14) n`,
  );
  // Hashes instead of random numbers, so that each run is the same.
  await app.db.query(
    `insert into agent_day_users (agent_id, day, subject, version_number, source, user_id, messages)
     select a.id, d::date, case when h % 5 = 0 then 'conv_' || h % 9 else 'usr_year_' || h % 14 + 1 end, 1 + h / 7 % 2,
       case h % 5 when 0 then 'embed' else 'direct' end, 'usr_year_' || h % 14 + 1, 1
     from unnest($1::text[]) with ordinality a (id, n), generate_series($2::date, $3::date, '1 day') d,
       generate_series(1, 10) p, lateral (select abs(hashint8(extract(epoch from d)::bigint + a.n * 1000 + p)) as h) hashed
     where p <= abs(hashint8(extract(epoch from d)::bigint + a.n)) % 11 - a.n
     on conflict do nothing`,
    [agents, daysAgo(364), daysAgo(0)],
  );
  await app.db.query(
    `insert into agent_days (agent_id, day, version_number, source, messages, conversations, replies, first_words, reply_times)
     select agent_id, day, version_number, source, count(*), count(*), count(*), array_fill(1, array[48]), array_fill(1, array[48])
     from agent_day_users group by 1, 2, 3, 4`,
  );
});
afterAll(() => app.close());

const read = async (path: string) => {
  const { totals, series, breakdown } = expectStatus(await app.call('GET', path, { as: ada.token }), 200).body;
  return { totals, series, breakdown };
};
const sum = () => sumPeople(app.app.newCtx({ kind: 'system' }), new AbortController().signal);

/** Periods to compare: a year, parts that start or end within a week, and parts on both sides of the sums. */
const periods = [
  [364, 0],
  [201, 87],
  [60, 3],
].flatMap(([from = 0, to = 0]) => {
  const period = `from=${daysAgo(from)}&to=${daysAgo(to)}`;
  return [`${period}&by=version`, `${period}&granularity=week&by=source`];
});
const paths = () => [
  ...periods.map((query) => `/v1/studio/agents/${agents[0]}/analytics?${query}`),
  ...periods.map((query) => `/v1/studio/analytics?${query}`),
];

describe('the figures of a year', () => {
  test('are the same from sums as from each person of each day', async () => {
    const before = await Promise.all(paths().map(read));
    expect(before[0]?.totals).toMatchObject({ suppressed: true });
    expect(before[0]?.totals.people).toBeGreaterThan(14);
    // Which days have people depends on the date.
    expect(before.some(({ totals }) => totals.retention_d1 > 0)).toBe(true);
    await sum();
    // Sums end at a Monday at least eight days ago, and need no rows of people per day.
    const { rows } = await app.db.query(`select to_char(summed_until, 'YYYY-MM-DD') as until from studio_sums`);
    expect(rows).toEqual([{ until: monday(daysAgo(8 + openMinutes / 1_440)) }]);
    const after = await Promise.all(paths().map(read));
    for (const [i, path] of paths().entries()) expect([path, after[i]]).toEqual([path, before[i]]);
  });

  test('have the same sums after an interrupted run is repeated', async () => {
    const path = paths()[0] ?? '';
    const before = await read(path);
    await app.db.query(`update studio_sums set summed_until = summed_until - 21`);
    await Promise.all([sum(), sum()]);
    expect(await read(path)).toEqual(before);
  });

  test('do not need the people of a summed day', async () => {
    const path = `/v1/studio/agents/${agents[0]}/analytics?from=${daysAgo(200)}&to=${daysAgo(30)}`;
    const before = await read(path);
    await app.db.query(`delete from agent_day_users where day < (select summed_until from studio_sums)`);
    expect(await read(path)).toEqual(before);
  });

  test('keep a purged person in sums of days, and the whole is no less than a part', async () => {
    const day = (
      await read(`/v1/studio/agents/${agents[0]}/analytics?from=${daysAgo(200)}&to=${daysAgo(100)}`)
    ).series.find(({ people }: { people: number | null }) => people !== null && people >= 5);
    await app.db.query(`delete from users where id like 'usr\\_year\\_%'`);
    expect((await app.db.query(`select from agent_people`)).rowCount).toBe(0);
    const { series, totals } = await read(`/v1/studio/agents/${agents[0]}/analytics?from=${day.date}&to=${day.date}`);
    expect(series).toEqual([day]);
    expect(totals.people).toBe(day.people);
  });

  test('forget people who have not come back for 400 days', async () => {
    const { rows } = await app.db.query(
      `insert into agent_people (agent_id, subject, user_id, first_day, last_day, days)
       select $1, 'person ' || n, $2, now()::date - n, now()::date - n, repeat('0', 1024)::bit(1024) from unnest(array[399, 402]) n
       returning subject`,
      [agents[0], ada.id],
    );
    expect(rows).toHaveLength(2);
    await removeOldPeople(app.app.newCtx({ kind: 'system' }), new AbortController().signal);
    const left = await app.db.query(`select subject from agent_people`);
    expect(left.rows).toEqual([{ subject: 'person 399' }]);
  });
});
