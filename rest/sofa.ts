import type { DocumentNode, ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import { useSofa } from 'sofa-api';
import { compiledExecution } from './execution.ts';
import type { Operation, Projection } from './projection.ts';
import type { WireArguments } from './validation.ts';

/** Runs one operation with checked arguments and answers its JSON text. It throws what the operation throws. */
export type RunOperation = (args: WireArguments, context: unknown) => Promise<string>;

/** Executes a document on the projected schema. */
export type Execute = (
  args: Pick<ExecutionArgs, 'document' | 'contextValue' | 'variableValues'>,
) => Promise<ExecutionResult>;

/** A route as SOFA keeps it. `__routes` is undocumented: the version is pinned and a test holds this form. */
interface SofaRoute {
  method: string;
  path: string;
  handler: (request: SofaRequest, serverContext: { context: unknown }) => Promise<{ text(): Promise<string> }>;
}

interface SofaRequest {
  url: string;
  params: WireArguments;
  body: null;
}

/**
 * SOFA on the projection, reduced to its handlers: one for each routed operation. Its router, its parsing of requests
 * and its own routes (`/webhook` posts to any URL given) are never reachable.
 */
export const sofaOperations = (
  projection: Projection,
  execute: Execute = compiledExecution(projection.schema),
): Map<Operation, RunOperation> => {
  const plain = projection.operations.filter(({ route }) => route.adapter === undefined);
  const router = useSofa({
    basePath: '',
    schema: projection.schema as GraphQLSchema,
    routes: Object.fromEntries(
      plain.map(({ route }) => [
        route.operation,
        { method: route.method, path: route.path, responseStatus: route.status, tags: [route.tag] },
      ]),
    ),
    // Types with both a query for one and a query for many would else be cut to their id where they are nested.
    ignore: Object.keys(projection.schema.getTypeMap()),
    depthLimit: 8,
    execute: ((args: ExecutionArgs & { document: DocumentNode }) => execute(args)) as never,
    context: ({ context }: { context?: unknown }) => context as never,
    // Thrown on, so that every error of /v1 is answered in one place.
    errorHandler: ([error]) => {
      throw error;
    },
  });
  const { __routes } = router as unknown as { __routes: readonly SofaRoute[] };
  return new Map(
    plain.map((operation) => {
      const { method, path } = operation.route;
      const found = __routes.find((route) => route.method === method && route.path === path);
      if (found === undefined) throw new Error(`SOFA has no route ${method} ${path}`);
      return [operation, runWith(found.handler)];
    }),
  );
};

/** All arguments travel as path parameters: SOFA takes those as they are, types and explicit nulls included. */
const runWith =
  (handler: SofaRoute['handler']): RunOperation =>
  async (args, context) =>
    (await handler({ url: '/', params: args, body: null }, { context })).text();
