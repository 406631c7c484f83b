import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { catalog } from '../../src/app/features.ts';
import type { Config } from '../../src/core/config/config.ts';
import type { Ctx, Ports } from '../../src/core/ctx.ts';
import { connectDatabase } from '../../src/core/database/database.ts';
import { processClock } from './clock.ts';

/** The parts of the service that jobs need, on a migrated database, with contexts of the system actor. */
export async function createHarness({
  url,
  clock = processClock,
  ports = {},
  config = {},
}: {
  url: string;
  clock?: Ctx['clock'];
  ports?: Partial<Ports>;
  config?: object;
}) {
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const database = await connectDatabase({ url, entities: catalog.entities, poolSize: 10, waitMs: 15_000 });
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
    catalog,
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

export type Harness = Awaited<ReturnType<typeof createHarness>>;
