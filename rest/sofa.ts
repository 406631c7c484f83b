import { type DocumentNode, type ExecutionArgs, type GraphQLSchema, print, stripIgnoredCharacters } from 'graphql';
import { useSofa } from 'sofa-api';
import type { Documents } from './documents.ts';
import type { Projection } from './projection/projection.ts';
import type { Route } from './routes/route.ts';

/**
 * The GraphQL document of each routed operation that returns JSON, as SOFA generates it: each route is requested once
 * from SOFA's request handler, whose `execute` records the document instead of running it. They are emitted to
 * `rest/documents.json`: generating them at each start would take a fifth longer and 10 MB of memory.
 * @throws Error naming the route for which SOFA executes nothing
 */
export async function sofaDocuments(projection: Projection): Promise<Documents> {
  const schema = projection.schema as GraphQLSchema;
  const plain = projection.operations
    .map(({ route }) => route)
    .filter((route) => route.adapter?.produces === undefined);
  const recorded = new Map<string, DocumentNode>();
  const sofa = useSofa({
    basePath: '',
    schema,
    routes: Object.fromEntries(
      plain.map((route) => [
        route.operation,
        { method: route.method, path: route.path, responseStatus: route.status, tags: [route.tag] },
      ]),
    ),
    // SOFA reduces nested types that have both a list query and a single query to their id, unless they are ignored.
    ignore: Object.keys(schema.getTypeMap()),
    depthLimit: 8,
    execute: ({ document, operationName }: ExecutionArgs) => {
      recorded.set(operationName ?? '', document);
      return { data: {} };
    },
  });
  const documents: Record<string, string> = {};
  for (const route of plain) {
    await sofa.fetch(`http://sofa${route.path.replaceAll(/:[a-z_]+/g, 'x')}`, {
      method: route.method,
      ...(route.method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }),
    });
    const document = recorded.get(operationNameOf(route));
    if (document === undefined) throw new Error(`SOFA executes nothing for ${route.method} ${route.path}`);
    documents[route.operation] = stripIgnoredCharacters(print(document));
  }
  return documents;
}

/** `Query.agents` → `agents_query`, the name that SOFA gives the operation. */
const operationNameOf = ({ operation }: Route): string => {
  const [root = '', field = ''] = operation.split('.');
  return `${field}_${root.toLowerCase()}`;
};
