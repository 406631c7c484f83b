import type { FastifyInstance } from 'fastify';
import { withTimeout } from '../../core/waiting/with-timeout.ts';
import { refuseOtherMethods } from '../other-methods.ts';

/** Health checks by dependency. Each resolves when its dependency responds. */
export type HealthChecks = Readonly<Record<string, () => Promise<unknown>>>;

/** State of a dependency by name: `ok`, or the kind of its last failure. It is reported, but does not fail the check. */
export type HealthNotes = Readonly<Record<string, () => string>>;

const checkLimitMs = 2_000;

/**
 * Registers GET /healthz (the process runs) and GET /readyz (it can serve requests; 503 when a dependency fails or the
 * process drains).
 */
export function registerHealth(
  app: FastifyInstance,
  { checks, notes }: { checks: HealthChecks; notes: HealthNotes },
  isDraining: () => boolean,
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check)] as const),
    );
    const overall = results.every(([, result]) => result === 'ok') ? 'ok' : 'failing';
    const status = isDraining() ? 'draining' : overall;
    const noted = Object.entries(notes).map(([name, note]) => [name, note()] as const);
    const body = { status, checks: Object.fromEntries(results), ...Object.fromEntries(noted) };
    return reply.code(status === 'ok' ? 200 : 503).send(body);
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
