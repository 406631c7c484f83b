import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { authorize } from '../schema/access.ts';
import type { GraphqlContext } from '../schema/context.ts';
import type { Access } from '../schema/decorators.ts';
import type { Actor } from '../src/core/actor.ts';
import { AppError } from '../src/core/errors.ts';
import type { OwnLimit } from '../src/core/rate-limit-table.ts';
import allDocuments from './documents.json' with { type: 'json' };
import { sendError } from './errors.ts';
import { compiledAtFirstUse, type RunOperation } from './execution.ts';
import { answerKeyed, storedUnder } from './idempotent.ts';
import { project, type Operation, type Projection } from './projection.ts';
import { routes as allRoutes, shapes as allShapes, type AdapterKind, type Route, type Shapes } from './routes.ts';
import { requestParser } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set before the body is read, on every request under /v1. */
    actor: Actor;
  }
}

/** What a hand-written route gets: everything but the reading of the body and the writing of the answer. */
export interface AdapterRoute {
  route: Route;
  method: Route['method'];
  /** Relative to /v1. */
  url: string;
  status: Route['status'];
  /** The root field of the schema that the route projects. */
  field: string;
  /** Has to run first: credential, rate limit, scope. */
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** The arguments from path, query and JSON body in the resolver's names. @throws AppError invalid_request */
  parse: (request: FastifyRequest) => Record<string, unknown>;
  /** The GraphQL context of this request. */
  context: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/** Registers one hand-written route on the scope of /v1. */
export type Adapter = (scope: FastifyInstance, route: AdapterRoute) => void;

export interface RestOptions {
  /** The GraphQL schema, its root fields protected. */
  schema: GraphQLSchema;
  /** Who holds the request's credential; anonymous without one. @throws AppError unauthenticated for one that does not hold */
  identify: (request: FastifyRequest) => Promise<Actor>;
  /** Counts the request against its route's own limit or the general one, sets the headers. @throws AppError rate_limited */
  admit: (request: FastifyRequest, reply: FastifyReply, actor: Actor, own?: OwnLimit) => Promise<void> | void;
  /** The GraphQL context; `request.actor` is known. */
  context: (request: FastifyRequest, reply: FastifyReply) => unknown;
  adapters?: Partial<Record<AdapterKind, Adapter>>;
  routes?: readonly Route[];
  shapes?: Shapes;
  documents?: Documents;
}

/** The GraphQL document on the projection that answers a route without an adapter, by the route's operation. */
export type Documents = Readonly<Record<string, string | undefined>>;

const bodyLimitBytes = 1_048_576;

/**
 * Puts exactly the listed routes under /v1. Checks run in this order: unknown route (405 for a known path), credential,
 * rate limit, scope, media type and size and form of the body, then the operation.
 * Answers the projection, for the documentation.
 * @throws Error at start, naming the row, when a row does not fit the schema or lacks its adapter.
 */
export const registerRest = async (app: FastifyInstance, options: RestOptions): Promise<Projection> => {
  const { schema, routes = allRoutes, shapes = allShapes, documents = allDocuments as Documents } = options;
  const projection = project(schema, routes, shapes);
  const runnerOf = ({ route }: Operation): RunOperation => {
    const document = documents[route.operation];
    if (document === undefined) throw new Error(`${route.method} ${route.path} has no document: run "npm run emit"`);
    return compiledAtFirstUse(projection.schema, document);
  };
  if (!app.hasRequestDecorator('actor')) app.decorateRequest('actor');
  await app.register(
    async (scope) => {
      scope.setErrorHandler(sendError);
      readJsonOnly(scope);
      for (const operation of projection.operations) registerOperation(scope, options, operation, runnerOf);
      refuseOtherMethods(scope, options, routes);
      scope.setNotFoundHandler(async (request, reply) => {
        await enter(options, null, request, reply);
        throw new AppError('not_found');
      });
    },
    { prefix: '/v1' },
  );
  return projection;
};

const registerOperation = (
  scope: FastifyInstance,
  options: RestOptions,
  operation: Operation,
  runnerOf: (operation: Operation) => RunOperation,
): void => {
  const { method, path: url, status, adapter } = operation.route;
  const parse = requestParser(operation);
  const onRequest = (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Nothing is of no type, whatever the client calls it: `curl -X POST -d ''` says it is a form.
    if (operation.body === null && request.headers['content-length'] === '0') delete request.headers['content-type'];
    return enter(options, operation.access, request, reply, operation.route.ownLimit);
  };
  const argumentsOf = (request: FastifyRequest) =>
    parse(request as Pick<FastifyRequest, 'body'> as Parameters<typeof parse>[0]);
  if (adapter !== undefined) {
    const register = options.adapters?.[adapter];
    if (register === undefined) throw new Error(`${method} ${url}: there is no adapter ${adapter}`);
    register(scope, {
      route: operation.route,
      method,
      url,
      status,
      field: operation.route.operation.split('.')[1] ?? '',
      onRequest,
      parse: (request) => operation.rename(argumentsOf(request)),
      context: options.context,
    });
    return;
  }
  const run = runnerOf(operation);
  scope.route({
    method,
    url,
    bodyLimit: bodyLimitBytes,
    onRequest,
    handler: async (request, reply) => {
      const args = argumentsOf(request);
      const context = await options.context(request, reply);
      reply.header('content-type', 'application/json; charset=utf-8');
      const key = storedUnder(operation.route, request);
      if (key === null) return reply.code(status).send(await run(args, context));
      const answer = await answerKeyed(operation.route, request, key, context as GraphqlContext, (ctx) =>
        run(args, ctx),
      );
      if (answer.replayed) reply.header('idempotency-replayed', 'true');
      return reply.code(answer.status).send(answer.body);
    },
  });
};

/** Credential, rate limit and scope. `access` null: there is no such operation, the caller is only counted. */
const enter = async (
  options: RestOptions,
  access: Access | null,
  request: FastifyRequest,
  reply: FastifyReply,
  own?: OwnLimit,
): Promise<void> => {
  reply.header('cache-control', 'no-store');
  const [actor, refusal] = await identified(options, request);
  request.actor = actor;
  const denied = access === null ? null : access === 'public' ? null : (refusal ?? denial(actor));
  try {
    await options.admit(request, reply, actor, own);
  } catch (limited) {
    // 404, 405 and 401 come before 429; the request was counted all the same.
    if (access !== null && denied === null) throw limited;
  }
  if (denied !== null) throw denied;
  if (access !== null) authorize(access, actor);
};

/** A credential that does not hold makes an anonymous caller; where one is needed, the refusal is thrown later. */
const identified = async (options: RestOptions, request: FastifyRequest): Promise<[Actor, AppError | null]> => {
  try {
    return [await options.identify(request), null];
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return [{ kind: 'anonymous', ip: request.ip }, error];
    throw error;
  }
};

const denial = (actor: Actor): AppError | null => (actor.kind === 'anonymous' ? new AppError('unauthenticated') : null);

const readJsonOnly = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  // Not Fastify's own parser: that refuses `__proto__` with 400, here it is a member like any unknown one.
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      return done(null, JSON.parse(body as string));
    } catch {
      return done(new AppError('invalid_request', { message: 'The body is not valid JSON.' }));
    }
  });
};

const refuseOtherMethods = (scope: FastifyInstance, options: RestOptions, routes: readonly Route[]): void => {
  for (const url of new Set(routes.map((route) => route.path))) {
    const known: HTTPMethods[] = routes.filter((route) => route.path === url).map((route) => route.method);
    if (known.includes('GET')) known.push('HEAD');
    const allow = [...known, 'OPTIONS'].join(', ');
    const others = scope.supportedMethods.filter((method) => !known.includes(method as HTTPMethods));
    scope.route({
      method: others.filter((method) => method !== 'OPTIONS') as HTTPMethods[],
      url,
      onRequest: async (request, reply) => {
        await enter(options, null, request, reply);
        reply.header('allow', allow);
        throw new AppError('method_not_allowed');
      },
      handler: async () => undefined,
    });
    scope.options(url, async (_request, reply) => reply.code(204).header('allow', allow).send());
  }
};
