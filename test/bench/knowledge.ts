import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../src/core/ids.ts';
import { poolSql } from '../../src/core/sql.ts';
import { normalised, quantise } from '../../src/providers/postgres-vectors/quantise.ts';
import { createPostgresVectors } from '../../src/providers/postgres-vectors/vector-store.ts';
import { pdfOf } from '../support/pdf.ts';
import { quantile } from './lab/statistics.ts';
import { type Seeded, seed } from './lab/seed.ts';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';

const dimensions = 512;
const space = `text-embedding-3-small:${dimensions}`;

/** Documents on their way in, and questions to what is there. */
export const rows: BenchRow[] = [
  {
    name: 'P11',
    title: 'a document on its way in',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [agentId = ''] = await seeded.addAgents(1);
      const quick = await startEmbedder(bench, 0);
      const service = await startWith(bench, seeded, quick);
      const text = await ingest(service, seeded, agentId, 'large.txt', longText(10 * 1_048_576));
      const pages = Array.from({ length: 300 }, (_, i) =>
        Array.from(
          { length: 40 },
          (__, line) => `Page ${i} line ${line} says ${(i * 7_919 + line * 31) % 104_729}.`,
        ).join('\n'),
      );
      const pdf = await ingest(service, seeded, agentId, 'book.pdf', Buffer.from(pdfOf(pages)));
      const slow = await startWith(bench, seeded, await startEmbedder(bench, 100));
      await service.stop();
      const waiting = await ingest(slow, seeded, agentId, 'slow.txt', longText(10 * 1_048_576));
      return [
        { what: '10 MB of text until ready', value: text.ms, unit: 'ms', goal: { atMost: 10_000 } },
        { what: 'chunks of it', value: (text.chunks / text.ms) * 1_000, unit: '/s', goal: { atLeast: 1_000 } },
        { what: 'memory of the service meanwhile, at most', value: text.peakBytes / 1e6, unit: 'MB' },
        { what: 'p99 of another request meanwhile', value: text.probeP99Ms, unit: 'ms' },
        { what: 'PDF of 300 pages until ready', value: pdf.ms, unit: 'ms' },
        { what: 'memory of the service meanwhile, at most', value: pdf.peakBytes / 1e6, unit: 'MB' },
        { what: 'chunks with a provider that takes 100 ms', value: (waiting.chunks / waiting.ms) * 1_000, unit: '/s' },
        {
          what: 'of what that provider allows, which is 100 chunks in each of 4 calls at once',
          value: (waiting.chunks / waiting.ms / 4) * 100,
          unit: '%',
          goal: { atLeast: 90 },
        },
      ];
    },
  },
  {
    name: 'P12',
    title: 'a question to 100,000 chunks',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [large = '', small = ''] = await seeded.addAgents(10_001);
      const count = bench.isQuick ? 20_000 : 100_000;
      bench.say(`adding ${count} vectors`);
      await addVectors(seeded, large, count);
      await addVectors(seeded, small, 100);
      await seeded.db.query('analyze');
      const store = createPostgresVectors({ sql: poolSql(seeded.db) });
      const from = performance.now();
      const questions = vectorsOf(100, 77);
      await store.query({ agentId: large, space, vector: questions[0] ?? new Float32Array() }, 40);
      const coldMs = performance.now() - from;
      const inLarge = await times(questions, (vector) => store.query({ agentId: large, space, vector }, 40));
      const inSmall = await times(questions, (vector) => store.query({ agentId: small, space, vector }, 40));
      const service = await startWith(bench, seeded, await startEmbedder(bench, 0));
      const ask = (i: number): Promise<Response> =>
        fetch(`${service.url}/v1/knowledge/${large}/query`, {
          method: 'POST',
          headers: { ...seeded.headers, 'content-type': 'application/json' },
          body: JSON.stringify({ query: `What does number ${i * 31} of book ${i} say?` }),
        }).then(async (response) => {
          await response.arrayBuffer();
          if (response.status !== 200) throw new Error(`the question was answered with ${response.status}`);
          return response;
        });
      await ask(0);
      const whole = await times(questions, (_vector, i) => ask(i));
      return [
        {
          what: `p50 of the ${count} nearest-neighbour store`,
          value: quantile(inLarge, 0.5),
          unit: 'ms',
          goal: { atMost: 10 },
        },
        { what: 'p99', value: quantile(inLarge, 0.99), unit: 'ms' },
        { what: 'first question, rows read', value: coldMs, unit: 'ms' },
        {
          what: 'p50 of an agent with 100 chunks beside it',
          value: quantile(inSmall, 0.5),
          unit: 'ms',
          goal: { atMost: 5 },
        },
        { what: 'p50 of POST …/query, full text and HTTP included', value: quantile(whole, 0.5), unit: 'ms' },
        { what: 'p99', value: quantile(whole, 0.99), unit: 'ms' },
      ] satisfies Figure[];
    },
  },
];

const startWith = (bench: Bench, { databaseUrl }: Seeded, baseUrl: string): Promise<BenchProcess> =>
  bench.startService({ databaseUrl, env: { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: baseUrl } });

/** A provider of embeddings that computes nothing: what is measured is ours. */
async function startEmbedder(bench: Bench, latencyMs: number): Promise<string> {
  const [vector = new Float32Array()] = vectorsOf(1, 5);
  const embedding = Buffer.from(vector.buffer).toString('base64');
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string | string[] };
        const data = [input].flat().map((_, index) => ({ object: 'embedding', index, embedding }));
        const body = JSON.stringify({
          object: 'list',
          data,
          model: 'bench',
          usage: { prompt_tokens: 1, total_tokens: 1 },
        });
        setTimeout(() => response.setHeader('content-type', 'application/json').end(body), latencyMs);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bench.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

interface Ingestion {
  ms: number;
  chunks: number;
  peakBytes: number;
  probeP99Ms: number;
}

/** Uploads a document and waits until it is ready, while another request asks again and again. */
async function ingest(
  service: BenchProcess,
  { headers }: Seeded,
  agentId: string,
  filename: string,
  content: Buffer,
): Promise<Ingestion> {
  const path = `${service.url}/v1/knowledge/${agentId}/documents`;
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(content)]), filename);
  const from = performance.now();
  const created = (await (await fetch(path, { method: 'POST', headers, body })).json()) as { id: string };
  const probes: number[] = [];
  let peakBytes = 0;
  for (;;) {
    const sent = performance.now();
    const answer = await fetch(`${path}/${created.id}`, { headers });
    const document = (await answer.json()) as { status: string; chunk_count: number };
    probes.push(performance.now() - sent);
    peakBytes = Math.max(peakBytes, await service.residentBytes());
    if (document.status === 'failed') throw new Error(`${filename} failed`);
    if (document.status === 'ready')
      return {
        ms: performance.now() - from,
        chunks: document.chunk_count,
        peakBytes,
        probeP99Ms: quantile(probes, 0.99),
      };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function longText(bytes: number): Buffer {
  const lines: string[] = [];
  for (let i = 0, size = 0; size < bytes - 200; i++) {
    const line = `Line ${i} tells of number ${(i * 7_919) % 104_729} and of what became of it in the year ${1_500 + (i % 500)}.`;
    size += line.length + 1;
    lines.push(line);
  }
  return Buffer.from(lines.join('\n'));
}

/** Vectors around a few hundred centres, the same ones every time, as texts of a few hundred topics would give them. */
function vectorsOf(count: number, seed: number): Float32Array[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const centres = Array.from({ length: 200 }, () => Float32Array.from({ length: dimensions }, next));
  return Array.from({ length: count }, (_, i) =>
    normalised((centres[i % 200] ?? new Float32Array()).map((value) => value + next() * 1.5)),
  );
}

const documentSize = 1_000;

async function addVectors({ db, userId }: Seeded, agentId: string, count: number): Promise<void> {
  const vectors = vectorsOf(count, 1);
  for (let from = 0; from < count; from += documentSize) {
    const documentId = newId('document');
    await db.query(
      `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, chunks_total, space, language, created_at)
       values ($1, $2, $3, 'a.txt', 'txt', 1, 'ready', $4, $5, 'english', now())`,
      [documentId, agentId, userId, documentSize, space],
    );
    const batch = vectors.slice(from, from + documentSize);
    const quantised = batch.map(quantise);
    await db.query(
      `insert into chunk_vectors (document_id, agent_id, space, position, chunk_id, vector, codes, scale, error)
       select $1, $2, $3, n - 1, 'chk_' || $1 || n, vector, codes, scale, error
       from unnest($4::bytea[], $5::bytea[], $6::real[], $7::real[]) with ordinality as v (vector, codes, scale, error, n)`,
      [
        documentId,
        agentId,
        space,
        batch.map((vector) => Buffer.from(vector.buffer)),
        quantised.map(({ codes }) => Buffer.from(codes.buffer)),
        quantised.map(({ scale }) => scale),
        quantised.map(({ error }) => error),
      ],
    );
    await db.query(
      `insert into chunks (id, document_id, agent_id, position, place, content, language)
       select 'chk_' || $1 || n, $1, $2, n - 1, '', 'Line ' || n || ' of book ' || $3 || ' tells of number ' || (n * 7919 + $3::int) % 104729
         || ' and of what became of it.', 'english' from generate_series(1, $4::int) n`,
      [documentId, agentId, from, batch.length],
    );
  }
  await db.query(`insert into agent_vector_versions values ($1, 1)`, [agentId]);
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
