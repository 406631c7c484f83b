import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createWorker } from '../../jobs/worker.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';
import type { Actor } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config/config.ts';
import type { Ctx, Ports } from '../core/ctx.ts';
import { connectDatabase } from '../core/database/database.ts';
import { migrate } from '../core/database/migrate.ts';
import { openConnection } from '../core/database/open-pool.ts';
import { countSessions } from '../core/database/sessions.ts';
import type { RateLimits } from '../core/http/rate-limits.ts';
import type { Telemetry } from '../core/process/telemetry.ts';
import type { Job } from '../core/tasks/job.ts';
import { unlessAborted } from '../core/waiting/unless-aborted.ts';
import { withTimeout } from '../core/waiting/with-timeout.ts';
import { createServer } from '../http/server.ts';
import { createConnections } from '../integrations/connections/connections.ts';
import { startClock } from './clock.ts';
import { createContextFactory } from './context.ts';
import { type StartedDatabase, startDatabase } from './database.ts';
import { catalog } from './features.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createLocalPorts } from './local-ports.ts';
import { startReplies } from './replies.ts';
import { connectProviders } from './providers.ts';

export interface App {
  server: FastifyInstance;
  /** Returns a new Ctx for one piece of work. */
  newCtx(actor: Actor, requestId?: string): Ctx;
  /** Accepts no new work, lets replies finish for a limited time, then stops everything. */
  close(): Promise<void>;
}

/** Test replacements and optional parts. */
export interface AppOverrides {
  clock?: Clock;
  rateLimits?: RateLimits;
  telemetry?: Telemetry | undefined;
  /** Ends the start when it is aborted. */
  stopSignal?: AbortSignal | undefined;
  /** Folder of the built console. When omitted, no pages are served. */
  consoleFolder?: string | undefined;
}

const drainMs = 20_000;
/** How long a start that is aborted or failed may take to end. */
const settleMs = 5_000;
const lateDrainMs = 5_000;
/**
 * Time reserved for the parts that stop after the worker (its aborted tasks, the server, the database), in
 * milliseconds.
 */
const lastPartsMs = 8_000;

/**
 * Builds the service from its configuration: the database and its schema, the ports, the jobs and the server, which
 * does not listen yet. If a part fails to start, or the process is asked to end, the parts that have started are
 * stopped.
 */
export async function createApp(config: Config, log: Logger, overrides: AppOverrides = {}): Promise<App> {
  const lifecycle = createLifecycle(log);
  let building: Promise<App> | undefined;
  try {
    const postgres = await startDatabase(config, log, overrides.stopSignal);
    lifecycle.onStop('PostgreSQL', () => postgres.stop());
    building = build(config, log, overrides, lifecycle, postgres);
    return await unlessAborted(building, overrides.stopSignal);
  } catch (error) {
    // A start that is aborted ends at its next step. Until then it may start parts, which have to be stopped too.
    await withTimeout(Promise.allSettled([building]), settleMs, () => []);
    await lifecycle.stop();
    throw error;
  }
}

async function build(
  config: Config,
  log: Logger,
  overrides: AppOverrides,
  lifecycle: Lifecycle,
  postgres: StartedDatabase,
): Promise<App> {
  const { telemetry, consoleFolder, stopSignal } = overrides;
  await migrate(postgres.directUrl, log);
  const database = await connectDatabase({ ...postgres, entities: catalog.entities });
  lifecycle.onStop('database connections', () => database.close());
  const { clock, movable: movableClock, follow } = await startClock(database, log, overrides.clock);

  const ports = {} as Ports;
  const sessions = countSessions();
  const newCtx = createContextFactory({ database, clock, log, config, catalog, ports });
  const newSystemCtx = () => newCtx({ kind: 'system' });
  const worker = createWorker({
    jobs: catalog.jobs as readonly Job[],
    observe: telemetry,
    engines: catalog.features.flatMap(({ engines = [] }) => engines.map((create) => create(newSystemCtx))),
    databaseUrl: postgres.directUrl,
    mongodbUrl: config.mongodbUrl,
    sessions,
    works: config.role !== 'web',
    hasOthers: () => replies.hasOthers(),
    newCtx: newSystemCtx,
    log,
  });
  const heartbeats = openConnection({
    url: postgres.url,
    use: 'heartbeat',
    sessions,
    onLost: (error) => log.warn({ err: error }, 'lost the connection of the heartbeat'),
  });
  lifecycle.onStop('heartbeat', () => heartbeats.close());
  stopSignal?.throwIfAborted();
  const replies = await startReplies({
    sql: database.sql,
    heartbeatSql: heartbeats.sql,
    clock: movableClock,
    log,
    newCtx: newSystemCtx,
  });
  lifecycle.onStop('replies', () => replies.stop());
  const providers = await connectProviders({
    config,
    clock,
    log,
    database,
    lifecycle,
    postProcessorEvent: async (payload, signature) => {
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
      const response = await server.inject({ method: 'POST', url: '/processor/events', headers, payload });
      return response.statusCode === 200;
    },
    localUrl: () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
  });
  const connections = createConnections(newSystemCtx, replies.instanceId);
  Object.assign(ports, {
    background: newSystemCtx,
    tasks: worker,
    wakes: worker,
    ...replies.ports,
    connections,
    sessions,
    ...createLocalPorts({ config, log, database, sessions, lifecycle, rateLimits: overrides.rateLimits }),
    ...providers.ports,
  } satisfies Ports);

  let draining = false;
  const server = await createServer({
    schema: buildGraphqlSchema(),
    newCtx,
    rateLimits: ports.rateLimits,
    health: {
      checks: { database: () => database.pool.query('select 1'), schedule: async () => worker.requireSchedule() },
      notes: { model_provider: () => providers.ports.languageModel.lastFailure ?? 'ok' },
    },
    isDraining: () => draining,
    movableClock,
    processorPage: providers.processorPage,
    simulatedPlatforms: providers.simulatedPlatforms,
    ...(telemetry && { telemetry }),
    consoleFolder,
  });
  lifecycle.onStop('HTTP server', () => server.close());
  stopSignal?.throwIfAborted();
  worker.start();
  follow(worker);
  if (config.role !== 'web') connections.start();
  lifecycle.onStop('worker', (leftMs) => worker.stop(Math.min(drainMs, Math.max(leftMs - lastPartsMs, 0))));
  lifecycle.onStop('last requests', async () => {
    draining = true;
    // Requests keep arriving until the load balancer has taken the process out of rotation.
    await Promise.all([sleep(config.drainMs), replies.drain(drainMs)]);
    await replies.drain(lateDrainMs);
  });
  // Registered last, so it stops first and another worker can take over the connections immediately.
  lifecycle.onStop('chat platforms', () => connections.stop());
  return { server, newCtx, close: () => lifecycle.stop() };
}
