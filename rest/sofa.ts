import type { DocumentNode, ExecutionArgs, GraphQLSchema } from 'graphql';
import { useSofa } from 'sofa-api';
import { compiledAtFirstUse } from './execution.ts';
import type { Operation, Projection } from './projection.ts';
import type { WireArguments } from './validation.ts';

/** Runs one operation with checked arguments and answers its JSON text. It throws what the operation throws. */
export type RunOperation = (args: WireArguments, context: unknown) => Promise<string>;

/** A route as SOFA keeps it. `__routes` is undocumented: the version is pinned and a test holds this form. */
interface SofaRoute {
  method: string;
  path: string;
  handler: (request: typeof noRequest, serverContext: { context: TakeDocument }) => Promise<unknown>;
}

type TakeDocument = (document: DocumentNode) => void;

const noRequest = { url: '/', params: {}, body: null };

/**
 * SOFA on the projection, reduced to the documents it makes: one for each routed operation. Its router, its parsing and
 * writing and its own routes (`/webhook` posts to any URL given) are never reachable.
 */
export const sofaOperations = async (projection: Projection): Promise<Map<Operation, RunOperation>> => {
  const schema = projection.schema as GraphQLSchema;
  const plain = projection.operations.filter(({ route }) => route.adapter === undefined);
  const router = useSofa({
    basePath: '',
    schema,
    routes: Object.fromEntries(
      plain.map(({ route }) => [
        route.operation,
        { method: route.method, path: route.path, responseStatus: route.status, tags: [route.tag] },
      ]),
    ),
    // Types with both a query for one and a query for many would else be cut to their id where they are nested.
    ignore: Object.keys(schema.getTypeMap()),
    depthLimit: 8,
    execute: showDocument as never,
    context: ({ context }: { context?: unknown }) => context as never,
    errorHandler: ([error]) => {
      throw error;
    },
  });
  const { __routes } = router as unknown as { __routes: readonly SofaRoute[] };
  const runners = new Map<Operation, RunOperation>();
  for (const operation of plain) {
    const { method, path } = operation.route;
    const found = __routes.find((route) => route.method === method && route.path === path);
    if (found === undefined) throw new Error(`SOFA has no route ${method} ${path}`);
    const execute = compiledAtFirstUse(schema, await documentOf(found));
    runners.set(operation, async (args, context) => JSON.stringify(await execute(args, context)));
  }
  return runners;
};

/** What SOFA would execute for a route; its own way there and back costs a request more than the compiled document. */
const documentOf = ({ handler }: SofaRoute): Promise<DocumentNode> =>
  new Promise((resolve, reject) => void handler(noRequest, { context: resolve }).catch(reject));

const showDocument = ({ document, contextValue }: ExecutionArgs) => {
  (contextValue as TakeDocument)(document);
  return { data: {} };
};
