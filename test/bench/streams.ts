import { compare, cpuPerOperation } from './lab/compare.ts';
import { type Seeded, seed } from './lab/seed.ts';
import { sizeFor } from './lab/sizes.ts';
import { median, quantile, quartiles } from './lab/statistics.ts';
import { timeStream, type Timing } from './lab/streams.ts';
import type { Bench, BenchProcess, BenchRow, Candidate, Figure } from './row.ts';

/** The overhead of the service and its floors over the model provider. */
export const rows: BenchRow[] = [
  {
    name: 'P5',
    title: 'time to the first delta',
    measure: async (bench) => {
      const alone = await timed(bench, { deltas: 5, firstDeltaMs: 5, atOnce: 1, streamed: true });
      const crowded = await timed(bench, { deltas: 5, firstDeltaMs: 100, atOnce: 16, streamed: true });
      const added = addedTo(alone, 'firstMs');
      const addedByPipe = median(alone.pipe.map((t) => t.firstMs)) - median(alone.upstream.map((t) => t.firstMs));
      return [
        { what: 'p50 added to B2, one at a time', ...added(0.5), goal: { atMost: 4 } },
        { what: 'p99 added to B2, one at a time', ...added(0.99), goal: { atMost: 20 } },
        { what: 'p50 added to B2, 16 at once', ...addedTo(crowded, 'firstMs')(0.5) },
        { what: 'p99 added to B2, 16 at once', ...addedTo(crowded, 'firstMs')(0.99), goal: { atMost: 20 } },
        { what: 'p50 added by B3', value: addedByPipe, unit: 'ms' },
        { what: 'p50 added, of what B3 adds', value: added(0.5).value / addedByPipe, unit: '×', goal: { atMost: 1.5 } },
      ];
    },
  },
  {
    name: 'P6',
    title: 'CPU of a streamed token',
    measure: async (bench) => {
      const burst = await perToken(bench, { deltas: 1_000, deltaMs: 0, atOnce: 8 });
      const paced = await perToken(bench, {
        deltas: bench.isReference ? 100 : 50,
        deltaMs: 20,
        atOnce: sizeFor(bench, { quick: 50, usual: 100, reference: 100, long: 200 }),
      });
      return [
        { what: 'burst', value: burst.typical(cpuPerOperation), unit: 'µs', goal: { atMost: 18 } },
        { what: 'burst, B3', value: burst.baseline(cpuPerOperation), unit: 'µs' },
        paced.ratio('50 a second, of B3', cpuPerOperation, { atMost: 2.6 }),
        { what: '50 a second', value: paced.typical(cpuPerOperation), unit: 'µs' },
        { what: '50 a second, B3', value: paced.baseline(cpuPerOperation), unit: 'µs' },
      ];
    },
  },
  {
    name: 'P8',
    title: 'a message with its complete reply',
    measure: async (bench) => {
      const alone = await timed(bench, { deltas: 5, firstDeltaMs: 5, atOnce: 1, streamed: false });
      const added = addedTo(alone, 'wholeMs');
      return [
        { what: 'p50 added to B2', ...added(0.5), goal: { atMost: 6 } },
        { what: 'p99 added to B2', ...added(0.99) },
      ];
    },
  },
];

interface Scenario {
  deltas: number;
  firstDeltaMs?: number;
  deltaMs?: number;
  atOnce: number;
}

interface Site {
  seeded: Seeded;
  upstream: BenchProcess;
  pipes: readonly [BenchProcess, BenchProcess];
  service: BenchProcess;
  /** Takes an unused conversation; each is used once. */
  nextConversation: () => string;
}

async function openSite(
  bench: Bench,
  { deltas, firstDeltaMs = 0, deltaMs = 0 }: Scenario,
  conversations: number,
): Promise<Site> {
  const seeded = await seed(bench);
  const [agentId = ''] = await seeded.addAgents(1);
  const unused = await seeded.addConversations(agentId, conversations);
  const upstream = await bench.startFloor('upstream.ts', {
    DELTAS: String(deltas),
    FIRST_DELTA_MS: String(firstDeltaMs),
    DELTA_MS: String(deltaMs),
  });
  const { databaseUrl } = seeded;
  const pipe = () => bench.startFloor('pipe.ts', { DATABASE_URL: databaseUrl, UPSTREAM: upstream.url });
  const env = {
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    GENERATION_LIMITS: JSON.stringify({ perAccount: 1_000, perAccountAtOnce: 1_000 }),
  };
  const nextConversation = () => {
    const id = unused.pop();
    if (!id) throw new Error('there are too few conversations for this scenario');
    return id;
  };
  return {
    seeded,
    upstream,
    pipes: [await pipe(), await pipe()],
    service: await bench.startService({ databaseUrl, env }),
    nextConversation,
  };
}

const body = { content: 'What do you think about this?' };
const upstreamMark = '"content":" word"';

const toService = ({ service, seeded, nextConversation }: Site, streamed = true) =>
  timeStream({
    url: `${service.url}/v1/conversations/${nextConversation()}/messages${streamed ? '/stream' : ''}`,
    headers: seeded.headers,
    body,
    mark: streamed ? 'event: delta' : '"content":" word',
  });

const toPipe = ({ seeded, nextConversation }: Site, pipe: BenchProcess) =>
  timeStream({ url: `${pipe.url}/${nextConversation()}`, headers: seeded.headers, body, mark: upstreamMark });

const toUpstream = ({ upstream }: Site) =>
  timeStream({
    url: `${upstream.url}/v1/chat/completions`,
    headers: {},
    body: { messages: [], stream: true },
    mark: upstreamMark,
  });

type Timings = Record<'service' | 'pipe' | 'upstream', Timing[]>;

/** The same exchange with the service, with B3 and with the provider, in turn. */
async function timed(bench: Bench, scenario: Scenario & { streamed: boolean }): Promise<Timings> {
  const { atOnce, streamed } = scenario;
  const rounds = Math.ceil(sizeFor(bench, { quick: 100, usual: 250, reference: 500 }) / atOnce);
  const warmUps = Math.ceil(sizeFor(bench, { quick: 100, usual: 150, reference: 300 }) / atOnce);
  const site = await openSite(bench, scenario, (rounds + warmUps) * atOnce * 2);
  const timings: Timings = { service: [], pipe: [], upstream: [] };
  const turns: [keyof Timings, () => Promise<Timing>][] = [
    ['service', () => toService(site, streamed)],
    ['pipe', () => toPipe(site, site.pipes[0])],
    ['upstream', () => toUpstream(site)],
  ];
  for (let round = -warmUps; round < rounds; round++) {
    for (let turn = 0; turn < turns.length; turn++) {
      const [name, exchange] = turns[(Math.abs(round) + turn) % turns.length] ?? turns[0]!;
      const taken = await Promise.all(Array.from({ length: atOnce }, exchange));
      if (round >= 0) timings[name].push(...taken);
    }
  }
  for (const process of [site.service, ...site.pipes, site.upstream]) await process.stop();
  return timings;
}

const addedTo =
  ({ service, upstream }: Timings, what: 'firstMs' | 'wholeMs') =>
  (share: number): Pick<Figure, 'value' | 'unit' | 'quartiles'> => {
    const own = service.map((timing) => timing[what]);
    const direct = upstream.map((timing) => timing[what]);
    const base = quantile(direct, share);
    return {
      value: quantile(own, share) - base,
      unit: 'ms',
      ...(share === 0.5 ? { quartiles: quartiles(own.map((ms) => ms - base)) } : {}),
    };
  };

/** Streams of many tokens through the service and through two copies of B3; an operation is a token. */
async function perToken(bench: Bench, scenario: Scenario) {
  const { deltas, atOnce } = scenario;
  // Each stream uses one conversation. A paced stream outlasts its slice, so each of the three candidates opens one per
  // slice; a slice of all three fits about sixty streams of a burst. The warm-up counts as ten slices.
  const streams = (bench.slices + 10) * atOnce * (scenario.deltaMs ? 3 : 60);
  const site = await openSite(bench, scenario, streams);
  const streaming = (name: string, process: BenchProcess, exchange: () => Promise<Timing>): Candidate => ({
    name,
    process,
    async work(ms) {
      const startedAt = performance.now();
      let operations = 0;
      const one = async () => {
        do {
          await exchange();
          operations += deltas;
        } while (performance.now() - startedAt < ms);
      };
      await Promise.all(Array.from({ length: atOnce }, one));
      return { operations, ms: performance.now() - startedAt };
    },
  });
  const comparison = await compare(bench, {
    subject: streaming('service', site.service, () => toService(site)),
    baseline: streaming('B3', site.pipes[0], () => toPipe(site, site.pipes[0])),
    control: streaming('B3 again', site.pipes[1], () => toPipe(site, site.pipes[1])),
  });
  for (const process of [site.service, ...site.pipes, site.upstream]) await process.stop();
  return comparison;
}
