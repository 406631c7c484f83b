import Fastify, { type FastifyInstance } from 'fastify';
import type { Writable } from 'node:stream';
import type { Actor, Scope } from '../../src/core/actor.ts';
import { catalog } from '../../src/app/features.ts';
import { AppError } from '../../src/core/errors.ts';
import { registerDocs } from '../../src/http/docs/reference.ts';
import type { GraphqlContext } from '../../schema/context.ts';
import { project } from '../../rest/projection/projection.ts';
import { registerRest, type RestOptions } from '../../rest/register.ts';
import { sofaDocuments } from '../../rest/sofa.ts';
import { fixtureRoutes, fixtureShapes } from './fixture-routes.ts';
import { fixtureSchema } from './fixture-schema.ts';

/** `Bearer token`: a session. `Bearer key:SCOPE,SCOPE`: an API key. Anything else is invalid. */
const identify = (authorization: string | undefined): Actor => {
  if (authorization === undefined) return { kind: 'anonymous', ip: null };
  const user = { kind: 'user', userId: 'usr_1', plan: 'free', ip: null } as const;
  if (authorization === 'Bearer token') return { ...user, scopes: catalog.scopes, sessionId: 'ses_1', apiKeyId: null };
  if (authorization.startsWith('Bearer key:')) {
    const held = authorization.slice('Bearer key:'.length).split(',') as Scope[];
    return { ...user, scopes: held, sessionId: null, apiKeyId: 'key_1' };
  }
  throw new AppError('unauthenticated');
};

export interface FixtureApp {
  app: FastifyInstance;
  /** The arguments of the resolvers, newest last. */
  calls: unknown[];
}

/** Serves the fixture schema under /v1. A request with `x-limit: over` exceeds the rate limit. */
export const fixtureApp = async (
  options: Partial<RestOptions> = {},
  logs?: Writable,
  withDocs = false,
): Promise<FixtureApp> => {
  const app = Fastify({ logger: logs ? { level: 'warn', stream: logs } : false });
  const calls: unknown[] = [];
  const schema = await fixtureSchema();
  const projection = await registerRest(app, {
    schema,
    routes: fixtureRoutes,
    shapes: fixtureShapes,
    documents: await sofaDocuments(project(schema, fixtureRoutes, fixtureShapes)),
    identify: async (request) => identify(request.headers.authorization),
    admit: async (request, reply) => {
      reply.header('x-ratelimit-limit', 600);
      if (request.headers['x-limit'] === 'over') throw new AppError('rate_limited', { retryAfterSeconds: 30 });
    },
    context: (request) => ({ actor: request.actor, calls }) as unknown as GraphqlContext,
    ...options,
  });
  if (withDocs) registerDocs(app, projection);
  await app.ready();
  return { app, calls };
};
