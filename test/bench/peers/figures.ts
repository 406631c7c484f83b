import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Candidate } from './candidates.ts';
import { mark } from './http.ts';
import { cpuBetween, cpuMsOf, readPostgresUse } from '../lab/postgres-cpu.ts';
import { median, quantile } from '../lab/statistics.ts';
import { timeStream } from '../lab/streams.ts';
import type { Bench, BenchProcess } from '../row.ts';

/** A running candidate. */
export interface Subject {
  name: string;
  candidate: Candidate;
  process: BenchProcess;
  /** Duration of each start except the first, which creates the tables. */
  startsMs: number[];
  observer: pg.Client | null;
  /** Number of messages that it refused or whose connection it reset. They were sent again. */
  refused: number;
}

export type Figures = Map<string, number>;

const megabyte = 1024 ** 2;
const atOnce = 16;
const shortReply = 20;
const longReply = 1_000;
const retryMs = 500;
const maxRefused = 100;

/** Starts it `starts` times after the start that creates its tables. */
export async function startSubject(bench: Bench, name: string, candidate: Candidate, starts: number): Promise<Subject> {
  await (await candidate.start()).stop();
  const startsMs: number[] = [];
  let process = await candidate.start();
  for (startsMs.push(process.startMs); startsMs.length < starts; startsMs.push(process.startMs)) {
    await process.stop();
    process = await candidate.start();
  }
  const observer = candidate.databaseUrl === null ? null : new pg.Client({ connectionString: candidate.databaseUrl });
  await observer?.connect();
  if (observer) bench.defer(() => observer.end());
  return { name, candidate, process, startsMs, observer, refused: 0 };
}

/** Measures all candidates, taking turns wherever they do work. */
export async function measure(bench: Bench, subjects: readonly Subject[], providerUrl: string): Promise<Figures[]> {
  const figures = subjects.map(({ startsMs }): Figures => new Map([['start, ms', median(startsMs)]]));
  await measureIdle(bench, subjects, figures);
  const direct: number[] = [];
  const alone = subjects.map((): number[] => []);
  const together = subjects.map((): number[] => []);
  for (let round = 0; round < bench.rounds; round++) {
    for (const at of turns(subjects.length, round)) {
      const subject = subjects[at] as Subject;
      bench.say(`${subject.name}, round ${round + 1}`);
      const each = bench.isQuick ? 5 : 10;
      for (let i = 0; i < each; i++) {
        direct.push((await timeStream({ ...directRequest(providerUrl), mark })).firstMs);
        alone[at]?.push(await turn(subject, shortReply));
      }
      for (let i = 0; i < each; i++) {
        const all = await Promise.all(Array.from({ length: atOnce }, () => turn(subject, shortReply)));
        // The first round warms up.
        if (round > 0) together[at]?.push(...all);
      }
    }
  }
  for (const [at, subject] of subjects.entries()) {
    const found = figures[at] as Figures;
    found.set('first delta, one at a time, ms added', median(alone[at] ?? []) - median(direct));
    found.set(`first delta, ${atOnce} at once, p50 ms`, median(together[at] ?? []));
    found.set(`first delta, ${atOnce} at once, p99 ms`, quantile(together[at] ?? [], 0.99));
    await measureCpu(bench, subject, found);
    found.set('messages refused, then sent again', subject.refused);
    found.set('memory after that, MB', (await subject.process.residentBytes()) / megabyte);
  }
  return figures;
}

async function measureIdle(bench: Bench, subjects: readonly Subject[], figures: readonly Figures[]): Promise<void> {
  bench.say('idle');
  await sleep(bench.isQuick ? 10_000 : 45_000);
  const watchedMs = bench.isQuick ? 5_000 : 30_000;
  const before = await Promise.all(subjects.map(look));
  await sleep(watchedMs);
  const after = await Promise.all(subjects.map(look));
  for (const [at, subject] of subjects.entries()) {
    const [from, to] = [before[at], after[at]];
    if (!from || !to) continue;
    figures[at]?.set('idle memory, MB', (await subject.process.residentBytes()) / megabyte);
    figures[at]?.set('idle CPU, service, ms/s', (1_000 * (to.serviceMs - from.serviceMs)) / watchedMs);
    if (from.postgres && to.postgres)
      figures[at]?.set('idle CPU, PostgreSQL, ms/s', (1_000 * cpuBetween(from.postgres, to.postgres)) / watchedMs);
  }
}

const look = async ({ process, observer }: Subject) => ({
  serviceMs: await cpuMsOf(process.pid),
  postgres: observer && (await readPostgresUse(observer)),
});

/** CPU time of a turn, 16 at once, and of a token: the additional cost of a long reply. */
async function measureCpu(bench: Bench, subject: Subject, figures: Figures): Promise<void> {
  const batches = bench.isQuick ? 2 : 6;
  const short = await cpuOfTurn(subject, shortReply, batches);
  const long = await cpuOfTurn(subject, longReply, Math.ceil(batches / 4));
  figures.set('CPU a turn, service, ms', short.serviceMs);
  if (short.postgresMs !== null) figures.set('CPU a turn, PostgreSQL, ms', short.postgresMs);
  figures.set('CPU a turn, both, ms', short.serviceMs + (short.postgresMs ?? 0));
  figures.set('CPU a token, service, µs', (1_000 * (long.serviceMs - short.serviceMs)) / (longReply - shortReply));
}

async function cpuOfTurn(subject: Subject, deltas: number, batches: number) {
  const before = await look(subject);
  for (let i = 0; i < batches; i++) await Promise.all(Array.from({ length: atOnce }, () => turn(subject, deltas)));
  // Sessions report their statistics within a second.
  await sleep(1_500);
  const after = await look(subject);
  const turnsDone = batches * atOnce;
  return {
    serviceMs: (after.serviceMs - before.serviceMs) / turnsDone,
    postgresMs: before.postgres && after.postgres && cpuBetween(before.postgres, after.postgres) / turnsDone,
  };
}

/** Sends one message in a new conversation. Returns the time to its first delta in milliseconds. */
async function turn(subject: Subject, deltas: number): Promise<number> {
  for (;;) {
    try {
      return await turnOnce(subject, deltas);
    } catch (error) {
      if (++subject.refused > maxRefused) throw error;
      await sleep(retryMs);
    }
  }
}

async function turnOnce({ candidate, process }: Subject, deltas: number): Promise<number> {
  const conversationId = await candidate.newConversation(process);
  const sent = { conversationId, id: randomUUID(), text: `q0 #${deltas} @0` };
  return (await timeStream(candidate.request(process, sent))).firstMs;
}

const directRequest = (url: string) => ({
  url: `${url}/v1/chat/completions`,
  headers: {},
  body: { messages: [{ role: 'user', content: `q0 #${shortReply} @0` }] },
});

/** Returns the order of the candidates in a round. Each is first equally often. */
const turns = (count: number, round: number): number[] => Array.from({ length: count }, (_, i) => (i + round) % count);
