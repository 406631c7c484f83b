import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Agent } from '../../../src/agents/agent.entity.ts';
import { Message } from '../../../src/conversations/messages/message.entity.ts';
import type { Config } from '../../../src/core/config/config.ts';
import type { Ctx, Ports } from '../../../src/core/ctx.ts';
import { connectDatabase, type Database } from '../../../src/core/database/database.ts';
import { processClock } from '../../support/clock.ts';
import type { Bench } from '../row.ts';
import { median, quantile } from './statistics.ts';
import { catalog } from '../../../src/app/features.ts';

/** The operations of the service in the benchmark's process, without HTTP. */
export interface InProcess {
  database: Database;
  /** The context of a request of this user. */
  ctxOf: (userId: string) => Ctx;
}

const log = pino({ level: 'silent' });

export async function openInProcess(bench: Bench, url: string, { poolSize = 4 } = {}): Promise<InProcess> {
  const database = await connectDatabase({ url, entities: [Agent, Message], poolSize });
  database.pool.on('error', (error) => bench.say(`lost a connection: ${error.message}`));
  bench.defer(() => database.close());
  return {
    database,
    ctxOf: (userId) => ({
      em: database.orm.em.fork(),
      sql: database.sql,
      pool: database.pool,
      actor: {
        kind: 'user',
        userId,
        plan: 'creator',
        scopes: ['conversations:read'],
        sessionId: null,
        apiKeyId: null,
        ip: null,
      },
      clock: processClock,
      catalog,
      log,
      requestId: randomUUID(),
      config: {} as Config,
      ports: {} as Ports,
    }),
  };
}

export interface Percentiles {
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** Times `operation`, one at a time. */
export const timesOf = async (count: number, operation: (i: number) => Promise<unknown>): Promise<Percentiles> =>
  (await timesInTurn(count, { operation })).operation;

/** Times operations of each kind, one at a time, in turn, so that all kinds have the same load beside them. */
export async function timesInTurn<Kind extends string>(
  count: number,
  kinds: Record<Kind, (i: number) => Promise<unknown>>,
): Promise<Record<Kind, Percentiles>> {
  const names = Object.keys(kinds) as Kind[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Kind, number[]>;
  for (let i = 0; i < count; i++) {
    for (const name of names) {
      const startedAt = performance.now();
      await kinds[name](i);
      times[name].push(performance.now() - startedAt);
    }
  }
  const percentiles = (of: readonly number[]): Percentiles => {
    return { p50Ms: median(of), p95Ms: quantile(of, 0.95), p99Ms: quantile(of, 0.99) };
  };
  return Object.fromEntries(names.map((name) => [name, percentiles(times[name])])) as Record<Kind, Percentiles>;
}

/**
 * CPU time of one operation of each kind, in microseconds: the median over ten rounds in which they take turns, four
 * operations at a time.
 */
export async function cpuMicrosOf<Kind extends string>(
  kinds: Record<Kind, () => Promise<unknown>>,
  perRound: number,
): Promise<Record<Kind, number>> {
  const names = Object.keys(kinds) as Kind[];
  const rounds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Kind, number[]>;
  for (let round = -1; round < 10; round++) {
    for (const name of names) {
      const before = process.cpuUsage();
      for (let done = 0; done < perRound; done += 4) await Promise.all(Array.from({ length: 4 }, () => kinds[name]()));
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) rounds[name].push((user + system) / perRound);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(rounds[name])])) as Record<Kind, number>;
}
