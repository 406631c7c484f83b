import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Gate } from '../../rest/gate.ts';
import { routes } from '../../rest/routes/routes.ts';
import type { GraphqlContext } from '../../schema/context.ts';
import type { KeyUse } from '../../schema/keyed-mutation.ts';
import { createStreamHandler } from '../../schema/stream.ts';
import type { Ctx } from '../core/ctx.ts';
import { lazy } from '../core/lazy.ts';
import { refuseOtherMethods } from './other-methods.ts';

interface GraphqlOptions {
  schema: GraphQLSchema;
  gate: Gate;
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext;
  /** Ctx of the service itself. */
  system: Ctx;
}

/** Registers /graphql (queries and mutations) and /graphql/stream (subscriptions). */
export function registerGraphql(app: FastifyInstance, { schema, gate, context, system }: GraphqlOptions): void {
  const { introspection } = system.config;
  // Loading Apollo takes a tenth of the startup time, and only this path needs it.
  const apollo = lazy(async () => {
    const { startApollo } = await import('../../schema/apollo.ts');
    return startApollo({ schema, introspection, context, keyUseOf, log: system.log });
  });
  app.addHook('onClose', async () => (await apollo.begun())?.stop());
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    request.actor = await gate.identify(request);
    await gate.admit(request, reply, request.actor);
  };
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest,
    handler: async (request, reply) => (await apollo()).answer(request, reply),
  });
  const stream = createStreamHandler({ schema, introspection, context });
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql/stream',
    onRequest,
    handler: async (request, reply) => {
      await stream(request, reply);
      return reply;
    },
  });
  for (const path of ['/graphql', '/graphql/stream']) refuseOtherMethods(app, path, ['GET', 'POST']);
}

const keyUses = new Map<string, KeyUse>(
  routes.map(({ operation, idempotency }) => [operation, idempotency ?? 'atomic'] as const),
);

/** Returns how a mutation treats an idempotency key. A mutation without a REST route may call other services. */
const keyUseOf = (field: string): KeyUse => keyUses.get(`Mutation.${field}`) ?? 'remote';
