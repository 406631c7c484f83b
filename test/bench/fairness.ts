import { seed, type Tenant } from './lab/seed.ts';
import { sizeFor } from './lab/sizes.ts';
import { median, quantile } from './lab/statistics.ts';
import { timeStream } from './lab/streams.ts';
import type { Bench, BenchProcess, BenchRow } from './row.ts';

/** The effect of one account on the others. */
export const rows: BenchRow[] = [
  {
    name: 'P22',
    title: 'nine accounts beside one with 20 times their share',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [agentId = ''] = await seeded.addAgents(1, { isPublic: true });
      const others: Writing[] = [];
      for (let i = 0; i < 9; i++) {
        const tenant = await seeded.addUser();
        others.push({ tenant, conversations: await seeded.addConversations(agentId, 1, tenant.userId) });
      }
      const greedy = { tenant: seeded, conversations: await seeded.addConversations(agentId, 20) };
      const upstream = await bench.startFloor('upstream.ts', { DELTAS: '20', FIRST_DELTA_MS: '100', DELTA_MS: '20' });
      const env = { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${upstream.url}/v1` };
      const service = await bench.startService({ databaseUrl: seeded.databaseUrl, env });
      const round = (greedyAtOnce: number) => firstDeltas(bench, service, others, greedy, greedyAtOnce);
      await round(1);
      const ratios: number[] = [];
      for (let i = 0; i < sizeFor(bench, { quick: 1, usual: 2, reference: 3 }); i++) {
        const fair = await round(1);
        const crowded = await round(20);
        ratios.push(quantile(crowded, 0.99) / quantile(fair, 0.99));
      }
      return [{ what: 'their time to the first delta, p99', value: median(ratios), unit: '×', goal: { atMost: 1.5 } }];
    },
  },
];

interface Writing {
  tenant: Tenant;
  conversations: string[];
}

/** Returns times to the first delta of other accounts, while one account writes to several conversations at once. */
async function firstDeltas(
  bench: Bench,
  service: BenchProcess,
  others: readonly Writing[],
  greedy: Writing,
  greedyAtOnce: number,
): Promise<number[]> {
  const until = performance.now() + (bench.isQuick ? 2_000 : 3_000);
  const times: number[] = [];
  let sent = 0;
  const write = async ({ tenant }: Writing, conversation: string, isTimed: boolean) => {
    while (performance.now() < until) {
      const { firstMs } = await timeStream({
        url: `${service.url}/v1/conversations/${conversation}/messages/stream`,
        headers: tenant.headers,
        body: { content: `Message ${sent++}` },
        mark: 'event: delta',
      });
      if (isTimed) times.push(firstMs);
    }
  };
  await Promise.all([
    ...others.map((writing) => write(writing, writing.conversations[0] ?? '', true)),
    ...greedy.conversations.slice(0, greedyAtOnce).map((conversation) => write(greedy, conversation, false)),
  ]);
  return times;
}
