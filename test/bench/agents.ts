import { compare, type Comparison, cpuPerOperation, p50, p99, rate, type Sample, sample } from './lab/compare.ts';
import { answerOf, type BenchRequest, closedLoop, type Expectation } from './lab/load.ts';
import { seed, type Seeded } from './lab/seed.ts';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';

const newAgent = {
  name: 'Ada',
  instructions: 'You are Ada, a patient tutor. '.repeat(20),
  description: 'Explains things.',
  category: 'tutor',
  greeting_message: 'Hello.',
};

const agentFields =
  'id name description instructions model avatarUrl isPublic category greetingMessage voiceId messageCount creatorId createdAt updatedAt';

/** The typical paths: one object, a write, a list, and the same over GraphQL. */
export const rows: BenchRow[] = [
  {
    name: 'P1',
    title: 'GET an agent',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [id] = await seeded.addAgents(100);
      const comparison = await against(bench, seeded, { path: `/v1/agents/${id}` });
      return [
        comparison.ratio('CPU of B1', cpuPerOperation, { atMost: 1.5 }),
        comparison.ratio('requests of B1', rate, { atLeast: 0.65 }),
        comparison.ratio('p99 of B1', p99, { atMost: 2 }),
        ...cpuOf(comparison),
      ];
    },
  },
  {
    name: 'P2',
    title: 'POST an agent',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const request: BenchRequest = { path: '/v1/agents', method: 'POST', body: newAgent };
      const comparison = await against(bench, seeded, request, {
        expected: (body) => (text) => withoutIdentity(text) === withoutIdentity(body),
        // Agents are deleted between slices: a growing list would slow down later candidates.
        between: () => seeded.db.query('truncate agents, outbox_events cascade'),
      });
      return [
        comparison.ratio('CPU of B1', cpuPerOperation, { atMost: 1.7 }),
        comparison.ratio('requests of B1', rate, { atLeast: 0.6 }),
        ...cpuOf(comparison),
      ];
    },
  },
  {
    name: 'P3',
    title: 'GET a list of agents',
    measure: async (bench) => {
      const seeded = await seed(bench);
      await seeded.addAgents(100);
      const twenty = bench.isReference ? await against(bench, seeded, { path: '/v1/agents?limit=20' }) : null;
      const hundred = await against(bench, seeded, { path: '/v1/agents?limit=100' });
      const alone = await oneClient(bench, seeded, { path: '/v1/agents?limit=100' });
      return [
        ...(twenty ? [twenty.ratio('20 rows, CPU of B1', cpuPerOperation)] : []),
        hundred.ratio('100 rows, CPU of B1', cpuPerOperation, { atMost: 1.8 }),
        { what: '100 rows, p50 of one client', value: p50(alone), unit: 'ms', goal: { atMost: 3 } },
        ...cpuOf(hundred),
      ];
    },
  },
  {
    name: 'limits',
    title: 'GET an agent, with and without rate limits',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [id] = await seeded.addAgents(100);
      const env = await bench.serviceEnv(seeded.databaseUrl);
      const unlimited = [
        await bench.startFloor('unlimited.ts', env),
        await bench.startFloor('unlimited.ts', env),
      ] as const;
      const comparison = await against(bench, seeded, { path: `/v1/agents/${id}` }, { floors: unlimited });
      return [
        comparison.ratio('requests of the unlimited', rate, { atLeast: 1 / 1.3 }),
        comparison.ratio('CPU of the unlimited', cpuPerOperation, { atMost: 1.3 }),
      ];
    },
  },
  {
    name: 'P4',
    title: 'agent(id) over /graphql',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [id] = await seeded.addAgents(100);
      const query = `query ($id: ID!) { agent(id: $id) { ${agentFields} } }`;
      const comparison = await against(bench, seeded, {
        path: '/graphql',
        method: 'POST',
        body: { query, variables: { id } },
      });
      return [comparison.ratio('CPU of B1', cpuPerOperation, { atMost: 3 }), ...cpuOf(comparison)];
    },
  },
];

interface Against {
  /** Whether a response is correct, given the floor's. Defaults to equal bytes. */
  expected?: (body: string) => Expectation;
  between?: () => Promise<unknown>;
  connections?: number;
  /** What the service is compared with; defaults to two copies of B1. */
  floors?: readonly [BenchProcess, BenchProcess];
}

/** The service and two copies of its floor on one database, all returning the same bytes to the same request. */
async function against(
  bench: Bench,
  { databaseUrl, headers }: Seeded,
  partial: BenchRequest,
  { expected = (body) => (text) => text === body, between, connections, floors: given }: Against = {},
): Promise<Comparison> {
  const request = { ...partial, headers };
  const startFloor = () => bench.startFloor('agents.ts', { DATABASE_URL: databaseUrl });
  const floors = given ?? ([await startFloor(), await startFloor()] as const);
  const service = await bench.startService({ databaseUrl });
  const isRight = expected(await answerOf(floors[0], request));
  const own = await answerOf(service, request);
  if (!isRight(own)) throw new Error(`the service returns other bytes than its floor: ${own.slice(0, 500)}`);
  const loop = (name: string, process: BenchProcess) => closedLoop(name, process, request, isRight, connections);
  const comparison = await compare(
    bench,
    { subject: loop('service', service), baseline: loop('floor', floors[0]), control: loop('floor again', floors[1]) },
    between,
  );
  for (const process of [service, ...floors]) await process.stop();
  return comparison;
}

/** The service alone, with one client, one request after the other. */
async function oneClient(bench: Bench, { databaseUrl, headers }: Seeded, partial: BenchRequest): Promise<Sample> {
  const service = await bench.startService({ databaseUrl });
  const request = { ...partial, headers };
  const body = await answerOf(service, request);
  const loop = closedLoop('service', service, request, (text) => text === body, 1);
  await loop.work(2_000);
  return sample(loop, 2_000);
}

const cpuOf = (comparison: Comparison): Figure[] => [
  { what: 'CPU a request', value: comparison.typical(cpuPerOperation), unit: 'µs' },
  { what: 'CPU a request of B1', value: comparison.baseline(cpuPerOperation), unit: 'µs' },
];

/** Replaces the parts of a response that differ between two servers. */
const withoutIdentity = (body: string): string => body.replace(/"(id|created_at|updated_at)":"[^"]*"/g, '"$1":""');
