import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../src/core/ids.ts';
import { seed } from './lab/seed.ts';
import { median, quantile, quartiles } from './lab/statistics.ts';
import { timeStream } from './lab/streams.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** Measures the overhead of a running experiment per message, and reading a year of analytics. */
export const rows: BenchRow[] = [
  {
    name: 'P25',
    title: 'a message with a running experiment; figures of a year',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const person = await seeded.addUser();
      const [plain = '', tested = ''] = await seeded.addAgents(2, { isPublic: true });
      const messages = bench.isQuick ? 150 : 1_000;
      const warmUps = 100;
      const unused = {
        plain: await seeded.addConversations(plain, messages + warmUps, person.userId),
        tested: await seeded.addConversations(tested, messages + warmUps, person.userId),
      };
      const versionId = newId('ver_');
      await seeded.db.query(
        `insert into agent_versions (id, agent_id, number, instructions, model, origin, created_at)
         select $1, id, 1, instructions, model, 'created', now() from agents where id = $2`,
        [versionId, tested],
      );
      const variants = ['a', 'b'].map((key) => ({ key, versionId, weight: 50 }));
      await seeded.db.query(
        `insert into experiments (id, agent_id, name, status, variants, metric, expected_people, min_days, created_at, started_at)
         values ($1, $2, 'bench', 'running', $3, 'continued', 1000, 7, now(), now())`,
        [newId('xpt_'), tested, JSON.stringify(variants)],
      );
      const upstream = await bench.startFloor('upstream.ts', { DELTAS: '1', FIRST_DELTA_MS: '0', DELTA_MS: '0' });
      const service = await bench.startService({
        databaseUrl: seeded.databaseUrl,
        env: { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${upstream.url}/v1` },
      });
      const send = (kind: keyof typeof unused) =>
        timeStream({
          url: `${service.url}/v1/conversations/${unused[kind].pop()}/messages`,
          headers: person.headers,
          body: { content: 'What do you think about this?' },
          mark: '"content":" word',
        });
      const taken = { plain: [] as number[], tested: [] as number[] };
      for (let round = -warmUps; round < messages; round++) {
        const order = round % 2 === 0 ? (['plain', 'tested'] as const) : (['tested', 'plain'] as const);
        for (const kind of order) {
          const { wholeMs } = await send(kind);
          if (round >= 0) taken[kind].push(wholeMs);
        }
      }
      for (const process of [service, upstream]) await process.stop();
      const without = median(taken.plain);
      return [
        { what: 'with one, of without', value: median(taken.tested) / without, unit: '×', goal: { atMost: 1.05 } },
        { what: 'without', value: without, unit: 'ms', quartiles: quartiles(taken.plain) },
        ...(await measureYear(bench)),
      ];
    },
  },
];

const peopleADay = 300;
const people = 3_000;

/** Reads 365 days of an agent that 300 of 3,000 people use on each, in four versions. */
async function measureYear(bench: Bench): Promise<Figure[]> {
  const seeded = await seed(bench);
  const { databaseUrl, db, userId, headers } = seeded;
  const [agentId = ''] = await seeded.addAgents(1);
  await db.query(`select create_studio_partitions((now() - interval '1 year')::date, 13)`);
  await db.query(
    `insert into users (id, email, username, password_hash, plan, created_at, updated_at)
     select 'usr_year_' || n, n || '@year.example', 'year' || n, '', 'plus', now(), now() from generate_series(1, $1) n`,
    [people],
  );
  await db.query(
    `insert into agent_day_users (agent_id, day, subject, version_number, source, user_id, messages)
     select $1, d::date, u, 1 + ((d::date - now()::date) / -100), 'direct', u, 3
     from generate_series(now()::date - 364, now()::date, '1 day') d, generate_series(1, $2) n,
       lateral (select 'usr_year_' || abs(hashint8(extract(epoch from d)::bigint + n)) % $3 + 1 as u) one
     on conflict do nothing`,
    [agentId, peopleADay, people],
  );
  await db.query(
    `insert into agent_days (agent_id, day, version_number, source, messages, conversations, replies, first_words, reply_times)
     select agent_id, day, version_number, source, sum(messages), count(*), sum(messages), array_fill(9, array[48]), array_fill(9, array[48])
     from agent_day_users group by 1, 2, 3, 4`,
  );
  await db.query(`update users set plan = 'creator' where id = $1`, [userId]);
  await db.query('vacuum analyze');
  const service = await bench.startService({ databaseUrl });
  while ((await db.query(`select from studio_sums where summed_until > now()::date - 16`)).rowCount === 0)
    await delay(100);
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const figures: Figure[] = [];
  for (const [what, query] of [
    ['365 days of figures by version, p95', '&by=version'],
    ['by week, p95', '&granularity=week'],
  ] as const) {
    const url = `${service.url}/v1/studio/agents/${agentId}/analytics?from=${day(364)}&to=${day(0)}${query}`;
    const times: number[] = [];
    for (let n = -5; n < (bench.isQuick ? 20 : 200); n++) {
      const startedAt = performance.now();
      const response = await fetch(url, { headers });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      if (n >= 0) times.push(performance.now() - startedAt);
    }
    figures.push({ what, value: quantile(times, 0.95), unit: 'ms', goal: { atMost: 60 } });
    figures.push({ what: 'p50', value: median(times), unit: 'ms' });
  }
  await service.stop();
  return figures;
}
