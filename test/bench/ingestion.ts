import { setTimeout as sleep } from 'node:timers/promises';
import { pdfOf } from '../support/pdf.ts';
import { type Seeded, seed } from './lab/seed.ts';
import { sizeFor } from './lab/sizes.ts';
import { median, quantile, quartiles } from './lab/statistics.ts';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';

const batch = 100;
const concurrency = 4;
const megabyte = 1_048_576;

/** Ingestion of documents. */
export const rows: BenchRow[] = [
  {
    name: 'P11',
    title: 'ingestion of a document',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [agentId = ''] = await seeded.addAgents(1);
      const harness: Harness = { ...seeded, bench, agentId };
      const { databaseUrl, userId } = seeded;
      const provider = await startProvider(bench, 0);
      const service = await bench.startService({ databaseUrl, env: provider });
      const place = { DATABASE_URL: databaseUrl, AGENT_ID: agentId, OWNER_ID: userId };
      const floor = await bench.startFloor('ingest.ts', { ...place, ...provider });
      const text = longText(10 * megabyte);
      const atRest = await probesAtRest(service, harness);
      const own: Ingestion[] = [];
      const bare: number[] = [];
      const again: number[] = [];
      for (let round = 0; round < sizeFor(bench, { quick: 1, usual: 2, reference: 3 }); round++) {
        const turns = [
          async () => bare.push(await ingestBare(floor, text)),
          async () => own.push(await ingest(service, harness, 'large.txt', text)),
          async () => again.push(await ingestBare(floor, text)),
        ];
        for (let turn = 0; turn < turns.length; turn++) await turns[(round + turn) % turns.length]?.();
      }
      const { probesMs } = await ingest(service, harness, 'probed.txt', text, probePauseMs);
      const pdf = await ingest(service, harness, 'book.pdf', Buffer.from(pdfOf(pagesOf(300))));
      await service.stop();
      const ratios = own.map((ingestion, i) => rateOf(ingestion) / (bare[i] ?? Number.NaN));
      const control = median(again.map((rate, i) => rate / (bare[i] ?? Number.NaN)));
      const peak = Math.max(...own.map(({ peakBytes }) => peakBytes));
      return [
        {
          what: '10 MB of text until ready',
          value: median(own.map(({ ms }) => ms)),
          unit: 'ms',
          goal: { atMost: 10_000 },
        },
        { what: 'chunks of it', value: median(own.map(rateOf)), unit: '/s', goal: { atLeast: 1_000 } },
        {
          what: 'relative to the bare loop',
          value: median(ratios),
          unit: '×',
          quartiles: quartiles(ratios),
          goal: { atLeast: 0.7 },
          ...(Math.abs(control - 1) > 0.1 && { void: `control ${control.toFixed(2)}` }),
        },
        { what: 'the bare loop', value: median(bare), unit: '/s' },
        { what: 'memory of the service meanwhile, at most', value: peak / 1e6, unit: 'MB' },
        {
          what: 'p99 of another request meanwhile, of that without',
          value: quantile(probesMs, 0.99) / quantile(atRest, 0.99),
          unit: '×',
          goal: { atMost: 2 },
        },
        { what: 'p99 of another request meanwhile', value: quantile(probesMs, 0.99), unit: 'ms' },
        { what: 'p50 of another request meanwhile', value: quantile(probesMs, 0.5), unit: 'ms' },
        { what: 'PDF of 300 pages until ready', value: pdf.ms, unit: 'ms' },
        { what: 'memory of the service meanwhile, at most', value: pdf.peakBytes / 1e6, unit: 'MB' },
        ...(await withProvider(harness, 100, text)),
        ...(await withProvider(harness, 500, text)),
      ];
    },
  },
];

interface Harness extends Seeded {
  bench: Bench;
  agentId: string;
}

/** Starts a provider with this latency. Returns the environment of a process that calls it. */
async function startProvider(bench: Bench, latencyMs: number): Promise<Record<string, string>> {
  const { url } = await bench.startFloor('embedder.ts', { LATENCY_MS: String(latencyMs) });
  return { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${url}/v1` };
}

/** Measures one document while the provider is the bottleneck. */
async function withProvider(harness: Harness, latencyMs: number, text: Buffer): Promise<Figure[]> {
  const { bench, databaseUrl } = harness;
  const service = await bench.startService({ databaseUrl, env: await startProvider(bench, latencyMs) });
  const done = await ingest(service, harness, `${latencyMs}.txt`, text);
  await service.stop();
  const most = (batch * concurrency * 1_000) / latencyMs;
  return [
    { what: `chunks with a provider that takes ${latencyMs} ms`, value: rateOf(done), unit: '/s' },
    {
      what: `of what it allows, which is ${batch} chunks in each of ${concurrency} calls at once`,
      value: (rateOf(done) / most) * 100,
      unit: '%',
      goal: { atLeast: 90 },
    },
  ];
}

interface Ingestion {
  ms: number;
  chunks: number;
  peakBytes: number;
  /** Latencies of another request, repeated meanwhile. */
  probesMs: number[];
}

const rateOf = ({ chunks, ms }: Ingestion): number => (chunks / ms) * 1_000;

/** Uploads a document and waits until it is ready; `probeEveryMs` repeats another request meanwhile. */
async function ingest(
  service: BenchProcess,
  harness: Harness,
  filename: string,
  content: Buffer,
  probeEveryMs: number | null = null,
): Promise<Ingestion> {
  const path = `/v1/knowledge/${harness.agentId}/documents`;
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(content)]), filename);
  const from = performance.now();
  const answer = await fetch(service.url + path, { method: 'POST', headers: harness.headers, body });
  if (answer.status !== 201) throw new Error(`${filename}: status ${answer.status}`);
  const { id } = (await answer.json()) as { id: string };
  const probesMs: number[] = [];
  let peakBytes = 0;
  for (;;) {
    const pollAt = performance.now() + pollMs;
    do {
      if (probeEveryMs !== null) probesMs.push(await probe(service, harness));
      await sleep(probeEveryMs ?? pollMs);
    } while (performance.now() < pollAt);
    peakBytes = Math.max(peakBytes, await service.residentBytes());
    const polled = await fetch(`${service.url}${path}/${id}`, { headers: harness.headers });
    const document = (await polled.json()) as { status: string; chunk_count: number };
    if (document.status === 'failed') throw new Error(`${filename} failed`);
    if (document.status === 'ready')
      return { ms: performance.now() - from, chunks: document.chunk_count, peakBytes, probesMs };
  }
}

const pollMs = 50;
const probePauseMs = 10;

async function probe(service: BenchProcess, { headers, agentId }: Harness): Promise<number> {
  const from = performance.now();
  const answer = await fetch(`${service.url}/v1/agents/${agentId}`, { headers });
  await answer.arrayBuffer();
  return performance.now() - from;
}

/** Latencies of the probe request on the idle service. */
async function probesAtRest(service: BenchProcess, harness: Harness): Promise<number[]> {
  const probesMs: number[] = [];
  for (let i = 0; i < (harness.bench.isQuick ? 100 : 300); i++) {
    probesMs.push(await probe(service, harness));
    await sleep(probePauseMs);
  }
  return probesMs;
}

/** Returns the chunks per second of the bare loop. */
async function ingestBare(floor: BenchProcess, content: Buffer): Promise<number> {
  const from = performance.now();
  const answer = await fetch(floor.url, { method: 'POST', body: new Uint8Array(content) });
  if (answer.status !== 200) throw new Error(`the bare loop failed: ${await answer.text()}`);
  const { chunks } = (await answer.json()) as { chunks: number };
  return (chunks / (performance.now() - from)) * 1_000;
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

const pagesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: 40 }, (__, line) => `Page ${i} line ${line} says ${(i * 7_919 + line * 31) % 104_729}.`).join(
      '\n',
    ),
  );
