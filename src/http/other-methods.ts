import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify';
import { AppError } from '../core/errors.ts';

/** Returns the methods to which a path responds that serves these, for the header `Allow`. */
export const allowedMethods = (served: readonly HTTPMethods[]): string[] =>
  served.includes('GET') ? [...served, 'HEAD', 'OPTIONS'] : [...served, 'OPTIONS'];

/**
 * Refuses with 405 and `Allow` every method that a path outside the REST routes does not support. `prepare` is called
 * with each refusal before it is sent.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  served: readonly HTTPMethods[],
  prepare?: (reply: FastifyReply) => void,
): void {
  const allowed = allowedMethods(served);
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[],
    url,
    // Before the body is read, because 405 takes precedence over a refusal of the body.
    onRequest: async (_request, reply) => {
      prepare?.(reply);
      reply.header('allow', allowed.join(', '));
      throw new AppError('method_not_allowed');
    },
    handler: async () => undefined,
  });
}
