import { WebSocket } from 'ws';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';
import { seed, type Seeded, type Tenant } from './lab/seed.ts';
import { quantile } from './lab/statistics.ts';

/** Connections of one account on the largest plan. */
const perAccount = 250;
/** Below the limit of an address for connections that are not verified yet. */
const atOnce = 16;

/** Memory, latency and reconnection of sockets. */
export const rows: BenchRow[] = [
  {
    name: 'P27',
    title: 'idle sockets',
    measure: async (bench) => {
      const { tenants, seeded } = await open(bench);
      const service = await bench.startService({ databaseUrl: seeded.databaseUrl });
      const sockets = await connectAll(bench, service, tenants.slice(0, 1), 50);
      const before = await service.residentBytes();
      const idle = await connectAll(bench, service, tenants, perAccount - 50);
      const bytes = (await service.residentBytes()) - before;
      const cpuBefore = await service.cpuMicros();
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      const cpu = ((await service.cpuMicros()) - cpuBefore) / 4_000_000;
      bench.say(`${sockets.length + idle.length} sockets are open`);
      return [
        { what: 'memory of one', value: bytes / idle.length / 1_024, unit: 'kB', goal: { atMost: 40 } },
        { what: `CPU of ${idle.length}`, value: cpu * 100, unit: '%' },
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
      const { tenants, seeded } = await open(bench);
      const service = await bench.startService({ databaseUrl: seeded.databaseUrl });
      const first = await connectAll(bench, service, tenants, perAccount);
      for (const socket of first) socket.terminate();
      const startedAt = performance.now();
      const again = await connectAll(bench, service, tenants, perAccount);
      const seconds = (performance.now() - startedAt) / 1_000;
      return [{ what: 'connections', value: again.length / seconds, unit: '/s', goal: { atLeast: 500 } }];
    },
  },
];

async function open(bench: Bench): Promise<{ seeded: Seeded; tenants: Tenant[] }> {
  const seeded = await seed(bench);
  const tenants: Tenant[] = [seeded];
  const count = bench.isQuick ? 2 : bench.isLong ? 40 : 8;
  while (tenants.length < count) tenants.push(await seeded.addUser());
  return { seeded, tenants };
}

/** Opens `each` sockets an account, which follow its events. A refusal fails the row. */
async function connectAll(
  bench: Bench,
  service: BenchProcess,
  tenants: readonly Tenant[],
  each: number,
): Promise<WebSocket[]> {
  const waiting = tenants.flatMap((tenant) => Array.from({ length: each }, () => tenant));
  const opened: WebSocket[] = [];
  const work = async (): Promise<void> => {
    for (let tenant = waiting.pop(); tenant; tenant = waiting.pop()) opened.push(await connect(service, tenant));
  };
  bench.defer(() => {
    for (const socket of opened) socket.terminate();
  });
  await Promise.all(Array.from({ length: atOnce }, work));
  return opened;
}

function connect({ url }: BenchProcess, { apiKey }: Tenant): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/socket`);
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

/** From the writing of an event, before its commit, to its frame; both by the clock of this machine. */
async function latency(
  bench: Bench,
  { seeded, agentId, writer, reader, count, what, goalMs }: Latency,
): Promise<Figure[]> {
  const socket = await connect(reader, seeded);
  bench.defer(() => socket.terminate());
  const tookMs: number[] = [];
  for (let n = 0; n < count; n++) {
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
    tookMs.push(await arrived);
  }
  return [{ what: `p95, ${what}`, value: quantile(tookMs, 0.95), unit: 'ms', goal: { atMost: goalMs } }];
}
