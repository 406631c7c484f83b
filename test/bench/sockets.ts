import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';
import { seed, type Seeded, type Tenant } from './lab/seed.ts';
import { median, quantile } from './lab/statistics.ts';

/** Connections per account. The largest plan allows twice as many, so earlier ones need not have been released. */
const perAccount = 125;

/** Memory, latency and reconnection of sockets. */
export const rows: BenchRow[] = [
  {
    name: 'P27',
    title: 'idle sockets',
    measure: async (bench) => {
      const { tenants, seeded } = await open(bench, bench.isQuick ? 4_000 : 10_000);
      const floor = await bench.startFloor('sockets.ts');
      const { bytes: least } = await holdIdle(bench, floor, tenants);
      await floor.stop();
      const service = await bench.startService({ databaseUrl: seeded.databaseUrl, env: behindProxy });
      const { bytes, count } = await holdIdle(bench, service, tenants);
      const cpuBefore = await service.cpuMicros();
      await delay(4_000);
      const cpu = ((await service.cpuMicros()) - cpuBefore) / 4_000_000;
      return [
        { what: `memory of one of ${count}`, value: bytes / 1_024, unit: 'kB', goal: { atMost: 40 } },
        { what: 'of the library alone', value: least / 1_024, unit: 'kB' },
        { what: 'CPU of all', value: cpu * 100, unit: '%' },
      ];
    },
  },
  {
    name: 'P28',
    title: 'an event and its frame on a socket',
    measure: async (bench) => {
      const { seeded } = await open(bench);
      const [agentId = ''] = await seeded.addAgents(1);
      const writer = await bench.startService({ databaseUrl: seeded.databaseUrl });
      const other = await bench.startService({ databaseUrl: seeded.databaseUrl, env: { ROLE: 'web' } });
      const count = bench.isQuick ? 40 : 400;
      return [
        ...(await latency(bench, {
          seeded,
          agentId,
          writer,
          reader: writer,
          count,
          what: 'the same instance',
          goalMs: 60,
        })),
        ...(await latency(bench, {
          seeded,
          agentId,
          writer,
          reader: other,
          count,
          what: 'another instance',
          goalMs: 150,
        })),
      ];
    },
  },
  {
    name: 'P29',
    title: 'sockets that reconnect together',
    measure: async (bench) => {
      const { tenants, seeded } = await open(bench, bench.isQuick ? 1_000 : 5_000);
      const service = await bench.startService({ databaseUrl: seeded.databaseUrl, env: behindProxy });
      const first = await connectAll(bench, service, tenants, { atOnce: 100 });
      const asked = await reconnect(bench, service, tenants, { sockets: first, withinMs: longestReconnectMs });
      const atOnce = await reconnect(bench, service, tenants, { sockets: asked.sockets, withinMs: 0 });
      const count = first.length;
      return [
        {
          what: `${count} within 5 s, as a restarting service asks: until the last`,
          value: asked.totalMs,
          unit: 'ms',
          goal: { atMost: 10_000 },
        },
        { what: 'p95 of one', value: asked.p95Ms, unit: 'ms', goal: { atMost: 1_000 } },
        { what: 'CPU of one', value: asked.cpuMicros, unit: 'µs' },
        { what: `${count} at one moment`, value: (count / atOnce.totalMs) * 1_000, unit: '/s', goal: { atLeast: 500 } },
        { what: 'at one moment, p50 of one', value: atOnce.p50Ms, unit: 'ms' },
        { what: 'at one moment, p95 of one', value: atOnce.p95Ms, unit: 'ms' },
      ];
    },
  },
];

/** The longest reconnection delay that `going_away` requests. */
const longestReconnectMs = 5_000;

/** Closes all sockets at once and reopens each after a random delay. A refusal fails the row. */
async function reconnect(
  bench: Bench,
  service: BenchProcess,
  tenants: readonly Tenant[],
  { sockets, withinMs }: { sockets: readonly Connected[]; withinMs: number },
) {
  for (const { socket } of sockets) socket.terminate();
  await delay(1_000);
  const cpuBefore = await service.cpuMicros();
  const startedAt = performance.now();
  const again = await connectAll(bench, service, tenants, { atOnce: Infinity, withinMs });
  const tookMs = again.map(({ ms }) => ms);
  return {
    sockets: again,
    totalMs: performance.now() - startedAt,
    p50Ms: median(tookMs),
    p95Ms: quantile(tookMs, 0.95),
    cpuMicros: ((await service.cpuMicros()) - cpuBefore) / again.length,
  };
}

/** Gives each socket its own client address, as in a real reconnection storm. */
const behindProxy = { TRUST_PROXY: 'true' };

async function open(bench: Bench, sockets = 0): Promise<{ seeded: Seeded; tenants: Tenant[] }> {
  const seeded = await seed(bench);
  const tenants: Tenant[] = [seeded];
  while (tenants.length < sockets / perAccount) tenants.push(await seeded.addUser());
  return { seeded, tenants };
}

/** Opens sockets and returns the growth of the process per socket. */
async function holdIdle(
  bench: Bench,
  process: BenchProcess,
  tenants: readonly Tenant[],
): Promise<{ bytes: number; count: number }> {
  const [first, ...others] = tenants;
  // Warm-up: the code that the first sockets load and compile must not count.
  await connectAll(bench, process, first ? [first] : [], { atOnce: 50 });
  const before = await process.residentBytes();
  const idle = await connectAll(bench, process, others, { atOnce: 50 });
  return { bytes: ((await process.residentBytes()) - before) / idle.length, count: idle.length };
}

interface Connected {
  socket: WebSocket;
  /** Time from the handshake to the confirmed subscription. */
  ms: number;
}

/** Opens each account's sockets, `atOnce` at a time, each after up to `withinMs`, and follows its events. A refusal fails. */
async function connectAll(
  bench: Bench,
  service: BenchProcess,
  tenants: readonly Tenant[],
  { atOnce, withinMs = 0 }: { atOnce: number; withinMs?: number },
): Promise<Connected[]> {
  const waiting = tenants.flatMap((tenant) => Array.from({ length: perAccount }, () => tenant));
  const opened: Connected[] = [];
  const work = async (): Promise<void> => {
    for (let tenant = waiting.pop(); tenant; tenant = waiting.pop()) {
      const address = addressOf(waiting.length);
      if (withinMs > 0) await delay(Math.random() * withinMs);
      const startedAt = performance.now();
      const socket = await connect(service, tenant, address);
      opened.push({ socket, ms: performance.now() - startedAt });
    }
  };
  bench.defer(() => {
    for (const { socket } of opened) socket.terminate();
  });
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
  return opened;
}

const addressOf = (n: number): string => `10.0.${n >> 8}.${n & 255}`;

function connect({ url }: BenchProcess, { apiKey }: Tenant, address = '10.1.0.0'): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/socket`, { headers: { 'x-forwarded-for': address } });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('open', () => socket.send(JSON.stringify({ op: 'connect', token: apiKey })));
    socket.on('message', (data: Buffer) => {
      const { op } = JSON.parse(data.toString()) as { op: string };
      if (op === 'ready') socket.send(JSON.stringify({ op: 'subscribe', id: '1', channel: 'account' }));
      if (op === 'subscribed') resolve(socket);
    });
  });
}

interface Latency {
  seeded: Seeded;
  agentId: string;
  writer: BenchProcess;
  reader: BenchProcess;
  count: number;
  what: string;
  goalMs: number;
}

const warmUps = 40;

/** Measures from the writing of an event, before its commit, to its frame. */
async function latency(
  bench: Bench,
  { seeded, agentId, writer, reader, count, what, goalMs }: Latency,
): Promise<Figure[]> {
  const socket = await connect(reader, seeded);
  bench.defer(() => socket.terminate());
  const tookMs: number[] = [];
  for (let n = -warmUps; n < count; n++) {
    const arrived = new Promise<number>((resolve) =>
      socket.once('message', (data: Buffer) => {
        const { created_at } = JSON.parse(data.toString()) as { created_at: string };
        resolve(Date.now() - Date.parse(created_at));
      }),
    );
    const { status } = await fetch(`${writer.url}/v1/agents/${agentId}`, {
      method: 'PUT',
      headers: { ...seeded.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `${what} ${n}` }),
    });
    if (status !== 200) throw new Error(`the change was refused with ${status}`);
    const ms = await arrived;
    if (n >= 0) tookMs.push(ms);
  }
  return [
    { what: `p95, ${what}`, value: quantile(tookMs, 0.95), unit: 'ms', goal: { atMost: goalMs } },
    { what: `p50, ${what}`, value: median(tookMs), unit: 'ms' },
  ];
}
