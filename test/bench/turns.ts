import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuBetween, readPostgresUse } from './lab/postgres-cpu.ts';
import { seed } from './lab/seed.ts';
import { timeStream } from './lab/streams.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** Cost of a turn in PostgreSQL. test/conversations/turn-statements.test.ts fixes its number of statements. */
export const rows: BenchRow[] = [{ name: 'P5b', title: 'PostgreSQL in a streamed turn', measure }];

const conversations = 16;
/** Delay with which a long reply is checkpointed a few times. */
const longDeltaMs = 40;

async function measure(bench: Bench): Promise<Figure[]> {
  const alone = await turns(bench, { atOnce: 1, deltas: 20, deltaMs: 0 });
  const together = await turns(bench, { atOnce: 16, deltas: 20, deltaMs: 0 });
  const checkpointed = await turns(bench, { atOnce: 16, deltas: 20, deltaMs: longDeltaMs });
  return [
    { what: 'CPU, one at a time', value: alone.cpuMicros, unit: 'µs' },
    { what: 'CPU, 16 at once', value: together.cpuMicros, unit: 'µs' },
    { what: 'CPU, 16 at once, each of 0.8 s', value: checkpointed.cpuMicros, unit: 'µs' },
    { what: 'transactions, one at a time', value: alone.transactions, unit: 'a turn' },
  ];
}

interface Load {
  atOnce: number;
  deltas: number;
  deltaMs: number;
}

/** Measures per turn, after an equal number of turns that warm up plans and caches. */
async function turns(bench: Bench, { atOnce, deltas, deltaMs }: Load) {
  const count = bench.isQuick ? 96 : 304;
  const seeded = await seed(bench);
  const [agentId = ''] = await seeded.addAgents(1);
  const ids = await seeded.addConversations(agentId, conversations);
  const upstream = await bench.startFloor('upstream.ts', { DELTAS: String(deltas), DELTA_MS: String(deltaMs) });
  const service = await bench.startService({
    databaseUrl: seeded.databaseUrl,
    env: {
      OPENAI_API_KEY: 'bench',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      GENERATION_LIMITS: JSON.stringify({ perAccount: 1_000, perAccountAtOnce: 1_000 }),
    },
  });
  const observer = new pg.Client({ connectionString: seeded.databaseUrl });
  await observer.connect();
  bench.defer(() => observer.end());
  let sent = 0;
  const send = async (): Promise<void> => {
    const n = sent++;
    await timeStream({
      url: `${service.url}/v1/conversations/${ids[n % conversations]}/messages/stream`,
      headers: seeded.headers,
      body: { content: `What do you think about number ${n}, and why is it so?` },
      mark: 'event: delta',
    });
  };
  const sendAll = async (): Promise<void> => {
    for (let n = 0; n < count; n += atOnce) await Promise.all(Array.from({ length: atOnce }, send));
    // Wait for the work after a reply (delivery, notifications, shared counts). Sessions report their statistics within 1 s.
    await sleep(1_500);
  };
  await sendAll();
  const before = await readPostgresUse(observer);
  await sendAll();
  const after = await readPostgresUse(observer);
  await service.stop();
  await upstream.stop();
  return {
    cpuMicros: (1_000 * cpuBetween(before, after)) / count,
    transactions: (after.transactions - before.transactions) / count,
  };
}
