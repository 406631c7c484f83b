import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/postgresql';
import pg from 'pg';
import { pino } from 'pino';
import type { Config } from '../../src/core/config.ts';
import type { Ctx, Ports } from '../../src/core/ctx.ts';
import { connectDatabase } from '../../src/core/database.ts';

/** MikroORM wants one. */
const Migrated = defineEntity({ name: 'Migrated', tableName: 'migrations', properties: { id: p.integer().primary() } });

/** A clock that stands still until it is told otherwise. */
export function createTestClock(start = new Date('2026-11-21T12:00:00.000Z')) {
  let now = start;
  return {
    now: () => now,
    advance: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
  };
}

/** The parts of the house that jobs stand on, over a migrated database, and Ctxs of the system actor. */
export async function createHouse({
  url,
  clock = { now: () => new Date() },
  ports = {},
  config = {},
}: {
  url: string;
  clock?: Ctx['clock'];
  ports?: Partial<Ports>;
  config?: object;
}) {
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const database = await connectDatabase({ url, entities: [Migrated], poolSize: 10 });
  database.pool.on('error', () => undefined);
  const allPorts = { tasks: { wake: () => undefined }, ...ports } as Ports;
  const newCtx = (): Ctx => ({
    em: database.orm.em.fork(),
    sql: database.sql,
    pool: database.pool,
    actor: { kind: 'system' },
    clock,
    log,
    requestId: randomUUID(),
    config: config as Config,
    ports: allPorts,
  });
  const query = async <Row extends object = Record<string, unknown>>(
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  return { url, log, newCtx, query, ports: allPorts, close: () => database.close() };
}

export type House = Awaited<ReturnType<typeof createHouse>>;
