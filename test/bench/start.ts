import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, closedLoop } from './lab/load.ts';
import { seed } from './lab/seed.ts';
import { sizeFor } from './lab/sizes.ts';
import { median, quartiles } from './lab/statistics.ts';
import type { BenchProcess, BenchRow } from './row.ts';

const megabyte = 1024 ** 2;

/** The cost of an idle process, and of one after load. */
export const rows: BenchRow[] = [
  {
    name: 'P19',
    title: 'time from the start of the process until it listens',
    measure: async (bench) => {
      const databaseUrl = await bench.createDatabase();
      const own: Start[] = [];
      const bare: Start[] = [];
      for (let round = 0; round < bench.rounds; round++) {
        const turns = [
          async () => own.push(await started(() => bench.startService({ databaseUrl }))),
          async () => bare.push(await started(() => bench.startFloor('fastify.ts'))),
        ];
        for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
      }
      const ms = own.map((start) => start.ms);
      const ratios = own.map((start, i) => start.ms / (bare[i]?.ms ?? Number.NaN));
      return [
        { what: 'the service', value: median(ms), unit: 'ms', quartiles: quartiles(ms), goal: { atMost: 1_200 } },
        {
          what: 'relative to Fastify alone',
          value: median(ratios),
          unit: '×',
          quartiles: quartiles(ratios),
          goal: { atMost: 6 },
        },
        { what: 'CPU', value: median(own.map((start) => start.cpuMs)), unit: 'ms' },
        { what: 'Fastify alone', value: median(bare.map((start) => start.ms)), unit: 'ms' },
      ];
    },
  },
  {
    name: 'P20',
    title: 'resident memory',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [id] = await seeded.addAgents(100);
      const bare = await bench.startFloor('fastify.ts');
      const service = await bench.startService({ databaseUrl: seeded.databaseUrl });
      await sleep(bench.isReference ? 10_000 : 4_000);
      const idle = await service.residentBytes();
      const request = { path: `/v1/agents/${id}`, headers: seeded.headers };
      const body = await answerOf(service, request);
      const loadMs = sizeFor(bench, { quick: 10_000, usual: 10_000, reference: 20_000, long: 600_000 });
      await closedLoop('service', service, request, (text) => text === body).work(loadMs);
      return [
        { what: 'idle', value: idle / megabyte, unit: 'MB', goal: { atMost: 170 } },
        {
          what: `after ${loadMs / 1000} s of P1`,
          value: (await service.residentBytes()) / megabyte,
          unit: 'MB',
          goal: { atMost: 350 },
        },
        { what: 'Fastify alone', value: (await bare.residentBytes()) / megabyte, unit: 'MB' },
      ];
    },
  },
];

interface Start {
  ms: number;
  cpuMs: number;
}

async function started(start: () => Promise<BenchProcess>): Promise<Start> {
  const process = await start();
  const cpuMs = (await process.cpuMicros()) / 1000;
  await process.stop();
  return { ms: process.startMs, cpuMs };
}
