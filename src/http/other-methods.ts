import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AppError } from '../core/errors.ts';

/** Refuses with 405 and `Allow` every method that a path outside the REST routes does not support. */
export function refuseOtherMethods(app: FastifyInstance, url: string, served: readonly ('GET' | 'POST')[]): void {
  const known: readonly string[] = served.includes('GET') ? [...served, 'HEAD', 'OPTIONS'] : [...served, 'OPTIONS'];
  app.route({
    method: app.supportedMethods.filter((method) => !known.includes(method)) as HTTPMethods[],
    url,
    // Before the body is read, because 405 takes precedence over a refusal of the body.
    onRequest: async (_request, reply) => {
      reply.header('allow', known.join(', '));
      throw new AppError('method_not_allowed');
    },
    handler: async () => undefined,
  });
}
