import type { FastifyInstance } from 'fastify';

/** Each check resolves when its dependency answers. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const checkLimitMs = 2_000;

/** GET /healthz: the process lives. GET /readyz: it can serve, dependency by dependency; 503 when one fails or it is draining. */
export function registerHealth(app: FastifyInstance, checks: HealthChecks, isDraining: () => boolean): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check)] as const),
    );
    const ready = !isDraining() && results.every(([, result]) => result === 'ok');
    return reply
      .code(ready ? 200 : 503)
      .send({ status: isDraining() ? 'draining' : ready ? 'ok' : 'failing', checks: Object.fromEntries(results) });
  });
}

async function resultOf(check: () => Promise<unknown>): Promise<'ok' | 'failing'> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error('took too long')), checkLimitMs);
  try {
    await Promise.race([check(), limit.promise]);
    return 'ok';
  } catch {
    return 'failing';
  } finally {
    clearTimeout(timer);
  }
}
