import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from './lab/load.ts';
import { type Seeded, seed } from './lab/seed.ts';
import { quantile } from './lab/statistics.ts';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';

/** Many concurrent replies with slow tokens. */
export const rows: BenchRow[] = [
  {
    name: 'P7',
    title: 'concurrent replies',
    measure: async (bench) => {
      const figures = await measureStreams(bench, {
        streams: bench.isQuick ? 200 : 2_000,
        processes: 1,
        tokenMs: 1_000,
      });
      // 10,000 tokens a second would need more than the one processor that the services share here.
      const long = { streams: 10_000, processes: 2, tokenMs: 4_000 };
      return bench.isLong ? [...figures, ...(await measureStreams(bench, long))] : figures;
    },
  },
];

interface StreamLoad {
  streams: number;
  processes: number;
  /** Milliseconds between two tokens of a reply. */
  tokenMs: number;
}

const limits = { perAccount: 20_000, perAccountAtOnce: 20_000, perInstance: 20_000 };
const opensAtOnce = 16;
const heldMs = 12_000;

async function measureStreams(bench: Bench, { streams, processes, tokenMs }: StreamLoad): Promise<Figure[]> {
  const seeded = await seed(bench);
  const [agentId = ''] = await seeded.addAgents(1);
  const warmUps = 100;
  const conversations = await seeded.addConversations(agentId, streams + warmUps);
  const upstream = await bench.startFloor('ticking.ts', { TICK_MS: String(tokenMs) });
  const env = {
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    GENERATION_LIMITS: JSON.stringify(limits),
  };
  const services: BenchProcess[] = [];
  for (let i = 0; i < processes; i++) services.push(await bench.startService({ databaseUrl: seeded.databaseUrl, env }));
  const service = services[0]!;
  const startMany = (count: number) => openReaders(count, services, seeded, conversations);
  const end = () => answerOf(upstream, { path: '/end', method: 'POST', body: {} });

  const warm = await startMany(warmUps);
  await end();
  await Promise.all(warm.map(({ ended }) => ended));
  const before = await service.residentBytes();
  const writtenBefore = warm.reduce((sum, reader) => sum + reader.delays.length, 0);

  const readers = await startMany(streams);
  const cpuBefore = await service.cpuMicros();
  const heldFrom = readers.map(({ delays }) => delays.length);
  await sleep(heldMs);
  const tokens = readers.reduce((sum, { delays }, i) => sum + delays.length - (heldFrom[i] ?? 0), 0) / processes;
  const cpuMicros = (await service.cpuMicros()) - cpuBefore;
  const delays = readers.flatMap((reader, i) => reader.delays.slice(heldFrom[i]));
  const memory = (await service.residentBytes()) - before;
  const { written } = JSON.parse(await end()) as { written: number };
  await Promise.all(readers.map(({ ended }) => ended));
  const received = readers.reduce((sum, reader) => sum + reader.delays.length, 0) + writtenBefore;
  for (const process of [...services, upstream]) await process.stop();
  const what = `${streams} in ${processes === 1 ? 'one process' : `${processes} processes`}, a token every ${tokenMs / 1_000} s`;
  return [
    {
      what: `${what}: memory of each`,
      value: memory / (streams / processes) / 1_024,
      unit: 'kB',
      goal: { atMost: 60 },
    },
    { what: `${what}: delay of a token, p99`, value: quantile(delays, 0.99), unit: 'ms', goal: { atMost: 500 } },
    { what: `${what}: tokens lost`, value: ((written - received) / written) * 100, unit: '%', goal: { atMost: 0 } },
    { what: `${what}: CPU of a token`, value: cpuMicros / tokens, unit: 'µs', goal: { atMost: 100 } },
  ];
}

interface Reader {
  /** Delay of each token from the provider to the client in milliseconds. */
  delays: number[];
  /** Rejects if a token is missing or repeated. */
  ended: Promise<void>;
}

/** Opens streams with limited concurrency and resolves once each has received its first token. */
async function openReaders(
  count: number,
  services: readonly BenchProcess[],
  { headers }: Seeded,
  conversations: string[],
): Promise<Reader[]> {
  const agent = new Agent({ maxSockets: Infinity });
  const readers: Reader[] = [];
  const openSome = async () => {
    while (readers.length < count) {
      const service = services[readers.length % services.length]!;
      const { reader, begun } = read(
        `${service.url}/v1/conversations/${conversations.pop()}/messages/stream`,
        headers,
        agent,
      );
      readers.push(reader);
      await begun;
    }
  };
  await Promise.all(Array.from({ length: opensAtOnce }, openSome));
  return readers;
}

function read(url: string, headers: Record<string, string>, agent: Agent): { reader: Reader; begun: Promise<void> } {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => undefined);
  const fail = (error: Error) => {
    begun.reject(error);
    ended.reject(error);
  };
  const reader: Reader = { delays: [], ended: ended.promise };
  const call = httpRequest(url, { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } });
  call.once('error', fail).once('response', (response) => {
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const now = Date.now();
      rest += text;
      const whole = rest.slice(0, rest.lastIndexOf('\n') + 1);
      rest = rest.slice(whole.length);
      for (const [, number, at] of whole.matchAll(/(\d+)@(\d+) /g)) {
        if (Number(number) !== reader.delays.length)
          return fail(new Error(`token ${number} came where ${reader.delays.length} was due`));
        reader.delays.push(now - Number(at));
      }
      if (reader.delays.length > 0) begun.resolve();
    });
    response.once('error', fail).once('end', () => {
      if (response.statusCode === 200) ended.resolve();
      else fail(new Error(`${url}: ${response.statusCode} ${rest.slice(0, 300)}`));
    });
  });
  call.end(JSON.stringify({ content: 'Count.' }));
  return { reader, begun: begun.promise };
}
