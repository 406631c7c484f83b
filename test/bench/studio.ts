import { newId } from '../../src/core/ids.ts';
import { seed } from './lab/seed.ts';
import { median, quartiles } from './lab/statistics.ts';
import { timeStream } from './lab/streams.ts';
import type { BenchRow } from './row.ts';

/** What a running experiment adds to a message. */
export const rows: BenchRow[] = [
  {
    name: 'P25',
    title: 'a message with a running experiment',
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
      ];
    },
  },
];
