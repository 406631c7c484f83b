import { type DocumentNode, type ExecutionArgs, type GraphQLSchema, print, stripIgnoredCharacters } from 'graphql';
import { useSofa } from 'sofa-api';
import type { Projection } from './projection.ts';
import type { Documents } from './register.ts';

/** A route as SOFA keeps it. `__routes` is undocumented: the version is pinned and a test holds this form. */
interface SofaRoute {
  method: string;
  path: string;
  handler: (request: typeof noRequest, serverContext: { context: TakeDocument }) => Promise<unknown>;
}

type TakeDocument = (document: DocumentNode) => void;

const noRequest = { url: '/', params: {}, body: null };

/**
 * SOFA on the projection, reduced to the documents it makes: one for each routed operation that needs no adapter. They
 * are emitted (`rest/documents.json`), because SOFA would take a fifth of a start and 10 MB to make the same each time.
 */
export const sofaDocuments = async (projection: Projection): Promise<Documents> => {
  const schema = projection.schema as GraphQLSchema;
  const plain = projection.operations.map(({ route }) => route).filter((route) => route.adapter === undefined);
  const router = useSofa({
    basePath: '',
    schema,
    routes: Object.fromEntries(
      plain.map((route) => [
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
  const documents: Record<string, string> = {};
  for (const { operation, method, path } of plain) {
    const found = __routes.find((route) => route.method === method && route.path === path);
    if (found === undefined) throw new Error(`SOFA has no route ${method} ${path}`);
    documents[operation] = stripIgnoredCharacters(print(await documentOf(found)));
  }
  return documents;
};

/** What SOFA would execute for a route. */
const documentOf = ({ handler }: SofaRoute): Promise<DocumentNode> =>
  new Promise((resolve, reject) => void handler(noRequest, { context: resolve }).catch(reject));

const showDocument = ({ document, contextValue }: ExecutionArgs) => {
  (contextValue as TakeDocument)(document);
  return { data: {} };
};
