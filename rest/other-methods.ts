import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AppError } from '../src/core/errors.ts';
import { enter, type Gate } from './gate.ts';
import type { Route } from './routes/route.ts';

/** Serves OPTIONS on every routed path, and refuses with 405 and `Allow` every other method that it does not support. */
export function registerOtherMethods(scope: FastifyInstance, gate: Gate, routes: readonly Route[]): void {
  for (const url of new Set(routes.map((route) => route.path))) {
    const known: HTTPMethods[] = routes.filter((route) => route.path === url).map((route) => route.method);
    if (known.includes('GET')) known.push('HEAD');
    const allow = [...known, 'OPTIONS'].join(', ');
    const others = scope.supportedMethods.filter((method) => !known.includes(method as HTTPMethods));
    scope.route({
      method: others.filter((method) => method !== 'OPTIONS') as HTTPMethods[],
      url,
      onRequest: async (request, reply) => {
        await enter(gate, null, request, reply);
        reply.header('allow', allow);
        throw new AppError('method_not_allowed');
      },
      handler: async () => undefined,
    });
    scope.options(url, async (_request, reply) => reply.code(204).header('allow', allow).send());
  }
}
