import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Ctx } from '../src/core/ctx.ts';
import type { Metrics } from '../src/core/telemetry.ts';
import { createHouseGauges } from './house-gauges.ts';

/** The process, each route by method, pattern and status, and what waits in the database. */
export function createMetrics(app: FastifyInstance, newCtx: () => Ctx): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countRequests(app, registry);
  showInstance(registry, newCtx);
  return { registry, refresh: createHouseGauges(registry, newCtx) };
}

/** GET /metrics in Prometheus form. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => {
    await metrics.refresh();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

function countRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, never the path: a label for each id would grow without end.
    const route = request.routeOptions.url ?? 'unknown';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}

/** What only this process knows of itself. */
function showInstance(registry: Registry, newCtx: () => Ctx): void {
  const connections: Gauge<'state'> = new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of this instance to PostgreSQL.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      const { pool } = newCtx();
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
    },
  });
  const waiting: Gauge = new Gauge({
    name: 'database_pool_waiting',
    help: 'Pieces of work of this instance that wait for a connection to PostgreSQL.',
    registers: [registry],
    collect: () => waiting.set(newCtx().pool.waitingCount),
  });
  const running: Gauge = new Gauge({
    name: 'generations_running',
    help: 'Replies that this instance is writing.',
    registers: [registry],
    collect: () => running.set(newCtx().ports.generations.size),
  });
  const ended: Counter<'end'> = new Counter({
    name: 'generations_ended_total',
    help: 'Replies that this instance has written, by how they ended: complete, stopped, lost to another, or an error code.',
    labelNames: ['end'],
    registers: [registry],
    collect: () => {
      ended.reset();
      for (const [end, count] of newCtx().ports.generations.ended) ended.inc({ end }, count);
    },
  });
}
