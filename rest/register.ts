import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../schema/context.ts';
import { AppError } from '../src/core/errors.ts';
import { acceptUploads } from './adapters/multipart-file.ts';
import { type Documents, documents as allDocuments } from './documents.ts';
import { sendError } from './errors.ts';
import { enter, type Gate } from './gate.ts';
import { runOnce, sendResponse } from './idempotent.ts';
import { acceptJsonOnly } from './json-body.ts';
import { registerOtherMethods } from './other-methods.ts';
import { compileLazily } from './projection/execution.ts';
import { project, type Operation, type Projection } from './projection/projection.ts';
import { requestParser, type RawRequest } from './projection/validation.ts';
import type { Adapter, AdapterRoute, Route, Shapes } from './routes/route.ts';
import { routes as allRoutes, shapes as allShapes } from './routes/routes.ts';

export interface RestOptions extends Gate {
  /** The GraphQL schema, its root fields protected. */
  schema: GraphQLSchema;
  /** The GraphQL context; `request.actor` is set. */
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext;
  routes?: readonly Route[];
  shapes?: Shapes;
  documents?: Documents;
}

const bodyLimitBytes = 1_048_576;

/**
 * Registers exactly the listed routes under /v1. Checks run in this order: unknown route (405 for a known path),
 * credential, rate limit, scope, media type, size and form of the body, then the operation.
 * Returns the projection, for the documentation.
 * @throws Error at start, naming the row, when a row does not fit the schema or has no document
 */
export const registerRest = async (app: FastifyInstance, options: RestOptions): Promise<Projection> => {
  const { schema, routes = allRoutes, shapes = allShapes, documents = allDocuments } = options;
  const projection = project(schema, routes, shapes);
  if (!app.hasRequestDecorator('actor')) app.decorateRequest('actor');
  await app.register(
    async (scope) => {
      scope.setErrorHandler(sendError);
      acceptJsonOnly(scope);
      for (const operation of projection.operations) {
        const route = adapterRoute(options, operation, runnerOf(projection, operation, documents));
        if (operation.route.adapter) await registerAdapter(scope, operation.route.adapter, route);
        else registerJsonRoute(scope, route);
      }
      registerOtherMethods(scope, options, routes);
      scope.setNotFoundHandler(async (request, reply) => {
        await enter(options, null, request, reply);
        throw new AppError('not_found');
      });
    },
    { prefix: '/v1' },
  );
  return projection;
};

/** Returns a function that runs an operation and returns JSON text. @throws Error when its document is missing */
function runnerOf(projection: Projection, { route, type }: Operation, documents: Documents): AdapterRoute['run'] {
  if (type === null) {
    return () => Promise.reject(new Error(`${route.method} ${route.path} has no JSON response`));
  }
  const document = documents[route.operation];
  if (document === undefined) throw new Error(`${route.method} ${route.path} has no document: run "npm run emit"`);
  return compileLazily(projection.schema, document);
}

function adapterRoute(options: RestOptions, operation: Operation, run: AdapterRoute['run']): AdapterRoute {
  const parse = requestParser(operation);
  return {
    route: operation.route,
    onRequest: (request, reply) => {
      // An empty body has no media type, whatever the client declares: `curl -X POST -d ''` declares a form.
      if (operation.body === null && request.headers['content-length'] === '0') delete request.headers['content-type'];
      return enter(options, operation.access, request, reply, operation.ownLimit);
    },
    parse: (request) => parse(request as Pick<FastifyRequest, 'body'> as RawRequest),
    context: options.context,
    run,
    invoke: (args, context) => operation.invoke(args, context),
  };
}

/** Only a request without a credential gets the same response as everyone. An invalid credential counts as one. */
function allowCaching(request: FastifyRequest, reply: FastifyReply, maxAgeSeconds: number): void {
  reply.header('vary', 'Authorization');
  const isPublic = request.headers.authorization === undefined;
  reply.header('cache-control', isPublic ? `public, max-age=${maxAgeSeconds}` : 'private, no-store');
}

async function registerAdapter(scope: FastifyInstance, adapter: Adapter, route: AdapterRoute): Promise<void> {
  const { upload } = adapter;
  const register = (inner: FastifyInstance): void =>
    void inner.route({
      method: route.route.method,
      url: route.route.path,
      onRequest: route.onRequest,
      handler: (request, reply) => adapter.handle(request, reply, route),
    });
  if (!upload) return register(scope);
  // A scope of its own, so that no other route accepts forms.
  await scope.register(async (inner) => {
    await acceptUploads(inner, upload);
    register(inner);
  });
}

function registerJsonRoute(scope: FastifyInstance, { route, onRequest, parse, context, run }: AdapterRoute): void {
  scope.route({
    method: route.method,
    url: route.path,
    bodyLimit: bodyLimitBytes,
    onRequest,
    handler: async (request, reply) => {
      const args = parse(request);
      const once = { route, request, context: context(request, reply) };
      const response = await runOnce(once, (ctx) => run(args, ctx));
      if (route.publicMaxAge !== undefined) allowCaching(request, reply, route.publicMaxAge);
      return sendResponse(reply, response);
    },
  });
}
