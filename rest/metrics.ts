import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { findLastComparison } from '../src/billing/compare-accounts.ts';
import type { Ctx } from '../src/core/ctx.ts';
import { countStrays } from '../src/knowledge/remove-strays.ts';

/** GET /metrics in Prometheus form: the process, and each route by method, pattern and status. */
export function registerMetrics(app: FastifyInstance, newCtx: () => Ctx): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
  registerComparison(registry, newCtx);
  registerStrays(registry, newCtx);
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}

/** How the last nightly comparison with the payment processor ended. Any instance can be asked: the figures are in the database. */
function registerComparison(registry: Registry, newCtx: () => Ctx): void {
  const findLast = () => findLastComparison(newCtx()).catch(() => null);
  const accounts: Gauge<'outcome'> = new Gauge({
    name: 'billing_comparison_accounts',
    help: 'Accounts of the last comparison with the payment processor: drifted ones differed and were mended, failed ones could not be compared.',
    labelNames: ['outcome'],
    registers: [registry],
    collect: async () => {
      const last = await findLast();
      for (const outcome of ['compared', 'drifted', 'failed'] as const) accounts.set({ outcome }, last?.[outcome] ?? 0);
    },
  });
  const finishedAt: Gauge = new Gauge({
    name: 'billing_comparison_timestamp_seconds',
    help: 'When the last comparison ended; 0 before the first.',
    registers: [registry],
    collect: async () => {
      finishedAt.set(((await findLast())?.finishedAt.getTime() ?? 0) / 1_000);
    },
  });
}

/** What had lost its document and was removed; anything but zero is worth a look. */
function registerStrays(registry: Registry, newCtx: () => Ctx): void {
  const strays = new Gauge({
    name: 'knowledge_strays_removed',
    help: 'Files, vectors and chunks without a document that the check has ever removed.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      for (const { kind, removed } of await countStrays(newCtx()).catch(() => [])) this.set({ kind }, removed);
    },
  });
  void strays;
}
