import { poolSql } from '../../src/core/database/sql.ts';
import type { VectorQuery, VectorStore } from '../../src/knowledge/retrieval/vector-store.ports.ts';
import { createPineconeVectors } from '../../src/providers/pinecone/vector-store.ts';
import { createPostgresVectors } from '../../src/providers/postgres-vectors/vector-store.ts';
import { startPineconeSimulator } from '../../src/simulators/pinecone.ts';
import { eventually } from '../support/eventually.ts';
import { median, quantile } from './lab/statistics.ts';
import { type Seeded, seed } from './lab/seed.ts';
import { addChunks, addSmallDocuments, dimensions, space, vectorsOf } from './lab/vectors.ts';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';

/** Number of candidates that the service requests from a store. */
const topK = 40;
const agents = 10_000;
const chunksEach = 10;

/** Knowledge queries. */
export const rows: BenchRow[] = [
  {
    name: 'P12',
    title: 'a question to 100,000 chunks',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [large = '', ...small] = await seeded.addAgents(bench.isQuick ? 1_001 : agents + 1);
      const count = bench.isQuick ? 20_000 : 100_000;
      bench.say(`adding ${count} vectors, and ${chunksEach} to each of ${small.length} other agents`);
      await addChunks(seeded, large, count);
      await addSmallDocuments(seeded, small, chunksEach);
      // As after autovacuum: pending entries of the full text index are merged.
      await seeded.db.query('vacuum analyze chunks');
      await seeded.db.query('analyze');
      const store = createPostgresVectors({ sql: poolSql(seeded.db) });
      const questions = vectorsOf(bench.isQuick ? 100 : 300, 77);
      const nearest = (agentId: string, vector: Float32Array) =>
        store.query({ agentId, space, vectors: [vector] }, topK);
      const [coldMs = 0] = await times(questions.slice(0, 1), (vector) => nearest(large, vector));
      const inLarge = await times(questions, (vector) => nearest(large, vector));
      const inSmall = await times(questions, (vector, i) => nearest(small[i] ?? '', vector));
      const inSmallAgain = await times(questions, (vector, i) => nearest(small[i] ?? '', vector));
      const { url } = await bench.startFloor('embedder.ts');
      const service = await bench.startService({
        databaseUrl: seeded.databaseUrl,
        env: { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${url}/v1` },
      });
      const ask = asker(service, seeded);
      await times(questions.slice(0, 50), (_vector, i) => ask(large, i));
      // In turn, so that other load affects both alike.
      const direct: number[] = [];
      const whole: number[] = [];
      for (const [i, vector] of questions.entries()) {
        direct.push(...(await times([vector], () => nearest(large, vector))));
        whole.push(...(await times([vector], () => ask(large, i))));
      }
      const added = whole.map((ms, i) => ms - (direct[i] ?? 0));
      const wholeSmall = await times(questions, (_vector, i) => ask(small.at(-1 - i) ?? '', i));
      return [
        ...both(`the ${count} nearest-neighbour store`, inLarge, { p50: 10 }),
        { what: 'first question, rows read', value: coldMs, unit: 'ms' },
        ...both(`the store, one of ${small.length} agents with ${chunksEach} chunks, asked first`, inSmall, {
          p50: 10,
        }),
        ...both('the same agents, asked again', inSmallAgain, { p50: 5 }),
        ...both('POST …/query, full text and HTTP included', whole, {}),
        ...both('POST …/query, beside the store called directly', added, { p50: 5, p99: 15 }),
        ...both(`POST …/query to one of the ${small.length} agents, asked first`, wholeSmall, {}),
        ...(await throughPinecone(bench, questions)),
      ];
    },
  },
];

function both(what: string, values: readonly number[], goals: { p50?: number; p99?: number }): Figure[] {
  return ([50, 99] as const).map((share) => {
    const atMost = goals[`p${share}`];
    return {
      what: `p${share} of ${what}`,
      value: quantile(values, share / 100),
      unit: 'ms',
      ...(atMost !== undefined && { goal: { atMost } }),
    };
  });
}

function asker(service: BenchProcess, { headers }: Seeded): (agentId: string, i: number) => Promise<void> {
  return async (agentId, i) => {
    const response = await fetch(`${service.url}/v1/knowledge/${agentId}/query`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: `What does number ${i * 31} of book ${i} say?` }),
    });
    const { results } = (await response.json()) as { results?: unknown[] };
    if (response.status !== 200 || !results) throw new Error(`the query returned ${response.status}`);
  };
}

/** The overhead of the provider and Pinecone's SDK. The simulator is not Pinecone: only the difference counts. */
async function throughPinecone(bench: Bench, questions: readonly Float32Array[]): Promise<Figure[]> {
  const pinecone = await startPineconeSimulator({ dimensions, delayMs: 0 });
  bench.defer(() => pinecone.stop());
  const store = createPineconeVectors({ apiKey: 'bench', index: 'bench', controllerHost: pinecone.url });
  const place = { agentId: 'agent', documentId: 'doc_bench', space };
  await fill(store, place, 200);
  await eventually(() => pinecone.size() === 200);
  const ask = (query: VectorQuery) => store.query(query, topK);
  const direct = ({ vectors: [vector = new Float32Array()] }: VectorQuery): Promise<unknown> =>
    fetch(`${pinecone.url}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        namespace: place.agentId,
        vector: [...vector],
        topK,
        includeMetadata: true,
        filter: { space: { $eq: space } },
      }),
    }).then((response) => response.json());
  const asked = questions.map((vector) => ({ ...place, vectors: [vector] }));
  for (const query of asked.slice(0, 50)) await Promise.all([ask(query), direct(query)]);
  const through: number[] = [];
  const bare: number[] = [];
  for (const query of asked) {
    bare.push(...(await times(query.vectors, () => direct(query))));
    through.push(...(await times(query.vectors, () => ask(query))));
  }
  const added = through.map((ms, i) => ms - (bare[i] ?? 0));
  return [
    { what: 'p50 of a query through the Pinecone provider, simulator included', value: median(through), unit: 'ms' },
    ...both('the same, beside the simulator called directly', added, { p50: 5, p99: 15 }),
  ];
}

async function fill(
  store: VectorStore,
  place: { agentId: string; documentId: string; space: string },
  count: number,
): Promise<void> {
  const chunks = vectorsOf(count, 9).map((vector, position) => ({ chunkId: `chk_${position}`, position, vector }));
  await store.upsert(place, chunks);
  await store.settle(place, count, AbortSignal.timeout(10_000));
}

async function times(
  vectors: readonly Float32Array[],
  ask: (vector: Float32Array, i: number) => Promise<unknown>,
): Promise<number[]> {
  const taken: number[] = [];
  for (const [i, vector] of vectors.entries()) {
    const from = performance.now();
    await ask(vector, i);
    taken.push(performance.now() - from);
  }
  return taken;
}
