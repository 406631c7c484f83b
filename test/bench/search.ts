import { listMessages } from '../../src/conversations/messages/messages.ts';
import { searchConversations } from '../../src/conversations/search/search.ts';
import { openInProcess, timesOf } from './lab/in-process.ts';
import { fillMessages } from './lab/messages.ts';
import { sizeFor } from './lab/sizes.ts';
import { wordBetween } from './lab/texts.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** Number of messages: half of them of ordinary users, half in one conversation of another. A million for a reference. */
export const rows: BenchRow[] = [
  {
    name: 'P13',
    title: 'search and pages among many messages',
    measure: async (bench) => {
      const [users, busyMessages] = sizeOf(bench);
      const url = await bench.createDatabase();
      const startedAt = performance.now();
      const writers = await fillMessages({ url, users, busyMessages });
      bench.say(`filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
      return [...(await searches(bench, url, writers)), ...(await pages(bench, url, writers.busy))];
    },
  },
];

/** Returns the number of users with 10,000 messages each, and the number of messages of one more user. */
const sizeOf = (bench: Bench): [users: number, busyMessages: number] =>
  sizeFor(bench, { quick: [5, 50_000], usual: [20, 200_000], reference: [50, 500_000] });

type Writers = Awaited<ReturnType<typeof fillMessages>>;

const kinds: Record<string, () => string> = {
  'a frequent word': () => wordBetween(1, 20),
  'a word': () => wordBetween(100, 1_000),
  'a rare word': () => wordBetween(5_000, 30_000),
  'two words': () => `${wordBetween(1, 100)} ${wordBetween(20, 1_000)}`,
  'a prefix': () => wordBetween(1, 5_000).slice(0, 3),
  'a phrase': () => `"${wordBetween(1, 20)} ${wordBetween(1, 20)}"`,
  'an exclusion': () => `${wordBetween(20, 200)} -${wordBetween(1, 20)}`,
  'no hit': () => 'xylophonist',
};

async function searches(bench: Bench, url: string, { ordinary, busy }: Writers): Promise<Figure[]> {
  const { ctxOf } = await openInProcess(bench, url);
  const figures: Figure[] = [];
  for (const [kind, words] of Object.entries(kinds)) {
    for (const [whose, writers] of Object.entries({ ordinary, busy: [busy] })) {
      const search = (i: number) =>
        searchConversations(ctxOf(writers[i % writers.length]?.userId ?? ''), { q: words() });
      await timesOf(5, search);
      const { p95Ms } = await timesOf(bench.isLong ? 200 : 30, search);
      const atMost = whose === 'busy' ? 250 : 15;
      figures.push({ what: `search, ${whose}, ${kind}, p95`, value: p95Ms, unit: 'ms', goal: { atMost } });
    }
  }
  return figures;
}

/** P14: with `before`, every page costs the same, however deep. */
async function pages(bench: Bench, url: string, { userId, conversationId }: Writers['busy']): Promise<Figure[]> {
  const { database, ctxOf } = await openInProcess(bench, url);
  const depth = sizeOf(bench)[1] * 0.96;
  const idAt = async (position: number): Promise<string> =>
    (
      await database.pool.query<{ id: string }>(
        `select id from messages where conversation_id = $1 order by position desc offset $2 limit 1`,
        [conversationId, position],
      )
    ).rows[0]?.id ?? '';
  const page = (input: object) => () => listMessages(ctxOf(userId), conversationId, input);
  const near = await idAt(100);
  const deep = await idAt(depth);
  const times = async (input: object, count = 400) => {
    await timesOf(20, page(input));
    return timesOf(count, page(input));
  };
  const first = await times({ before: near });
  const last = await times({ before: deep });
  const newest = await times({});
  const thousand = await times({ offset: 1_000 });
  const far = await times({ offset: depth > 100_000 ? 100_000 : 10_000 }, 20);
  return [
    { what: 'P14 page before message 100, p99', value: first.p99Ms, unit: 'ms' },
    {
      what: `P14 before message ${depth}, p50 of that`,
      value: last.p50Ms / first.p50Ms,
      unit: '×',
      goal: { atMost: 1.2 },
    },
    {
      what: 'P14 offset 1,000, p50 of the newest page',
      value: thousand.p50Ms / newest.p50Ms,
      unit: '×',
      goal: { atMost: 1.3 },
    },
    { what: 'P14 offset 100,000, p50', value: far.p50Ms, unit: 'ms', goal: { atMost: 150 } },
  ];
}
