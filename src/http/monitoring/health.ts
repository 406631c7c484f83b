import type { FastifyInstance } from 'fastify';
import { withTimeout } from '../../core/waiting/with-timeout.ts';
import { refuseOtherMethods } from '../other-methods.ts';

/** Health checks by dependency. Each resolves when its dependency responds. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

const checkLimitMs = 2_000;

/**
 * Registers GET /healthz (the process runs) and GET /readyz (it can serve requests; 503 when a dependency fails or the
 * process drains).
 */
export function registerHealth(app: FastifyInstance, checks: HealthChecks, isDraining: () => boolean): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check)] as const),
    );
    const overall = results.every(([, result]) => result === 'ok') ? 'ok' : 'failing';
    const status = isDraining() ? 'draining' : overall;
    return reply.code(status === 'ok' ? 200 : 503).send({ status, checks: Object.fromEntries(results) });
  });
  for (const path of ['/healthz', '/readyz']) refuseOtherMethods(app, path, ['GET']);
}

const resultOf = (check: () => Promise<unknown>): Promise<'ok' | 'failing'> =>
  withTimeout(
    check().then(
      () => 'ok' as const,
      () => 'failing' as const,
    ),
    checkLimitMs,
    () => 'failing' as const,
  );
