import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Ctx } from '../../core/ctx.ts';
import type { Metrics } from '../../core/process/telemetry.ts';
import { registerDatabaseMetrics } from './database-metrics.ts';
import { refuseOtherMethods } from '../other-methods.ts';
import { createServiceGauges } from './service-gauges.ts';

/** Interval between measurements of the event loop lag, which they include. Each measurement wakes an idle process. */
const lagPrecisionMs = 100;

/**
 * Creates the metrics of the process, of each route by method, pattern and status, and of the queues in the database.
 */
export function createMetrics(app: FastifyInstance, newCtx: () => Ctx): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagPrecisionMs });
  for (const name of misnamedTotals) registry.removeSingleMetric(name);
  countRequests(app, registry);
  registerDatabaseMetrics(registry, newCtx);
  showReplies(registry, newCtx);
  showModelFailures(registry, newCtx);
  return { registry, refresh: createServiceGauges(registry, newCtx().catalog.gauges, newCtx) };
}

/**
 * Gauges of prom-client with the suffix of a counter. Each is the sum of the gauge of the same name without the suffix.
 */
const misnamedTotals = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

/** Registers GET /metrics in the Prometheus format. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => {
    await metrics.refresh();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  refuseOtherMethods(app, '/metrics', ['GET']);
}

function countRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests, until the end of the response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    // Uses the route pattern, never the path: a label for each id would grow without bound.
    const route = request.routeOptions.url ?? 'unknown';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}

function showReplies(registry: Registry, newCtx: () => Ctx): void {
  const running: Gauge = new Gauge({
    name: 'generations_running',
    help: 'Replies that this instance is generating.',
    registers: [registry],
    collect: () => running.set(newCtx().ports.generations.size + newCtx().ports.roomTurns.size),
  });
  const ended: Counter<'end'> = new Counter({
    name: 'generations_ended_total',
    help: 'Replies that this instance has generated, by outcome: complete, stopped, lost to another instance, or an error code.',
    labelNames: ['end'],
    registers: [registry],
    collect: () => {
      ended.reset();
      for (const [end, count] of newCtx().ports.generations.ended) ended.inc({ end }, count);
    },
  });
}

function showModelFailures(registry: Registry, newCtx: () => Ctx): void {
  const failed: Counter<'kind'> = new Counter({
    name: 'model_provider_failures_total',
    help: 'Calls to the language model that failed in this instance, by the kind of the failure.',
    labelNames: ['kind'],
    registers: [registry],
    collect: () => {
      failed.reset();
      for (const [kind, count] of newCtx().ports.languageModel.failures) failed.inc({ kind }, count);
    },
  });
}
