import {
  GraphQLBoolean,
  GraphQLObjectType,
  GraphQLSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql';
import { accessOf } from '../../schema/access.ts';
import { type Access, graphqlOnlyArguments } from '../../schema/decorators.ts';
import type { OwnLimit } from '../../src/core/http/rate-limit-table.ts';
import { argumentProjector, leafProjector, type ProjectArguments } from './projected-inputs.ts';
import { outputProjector, type ProjectOutput } from './projected-types.ts';
import type { Route, Shapes } from '../routes/route.ts';

/** A route with what the projection derives for it. Names are those of the wire. */
export interface Operation {
  route: Route;
  access: Access;
  description: string | null;
  deprecationReason: string | null;
  /** Arguments in the path. */
  path: readonly GraphQLArgument[];
  /** Arguments in the query string. */
  query: readonly GraphQLArgument[];
  /** The argument that is the JSON body. */
  body: GraphQLArgument | null;
  /** The type of the response; null when it is not JSON. */
  type: GraphQLOutputType | null;
  /** The rate limit that counts in place of the general one. */
  ownLimit: OwnLimit | undefined;
  /** Converts wire names of arguments to those of the resolver. */
  rename: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Calls the root field's resolver, or starts its subscription, with arguments in wire names. */
  invoke: (args: Readonly<Record<string, unknown>>, context: unknown) => unknown;
}

export interface Projection {
  /** Only routed fields, spelled as on the wire, resolved by the resolvers of the GraphQL schema. */
  schema: GraphQLSchema;
  operations: readonly Operation[];
}

/**
 * Derives the schema of REST from the GraphQL schema and the table of routes.
 * @throws Error at start, naming the row, for an unknown operation, argument or shape, or a type that REST cannot express
 */
export const project = (source: GraphQLSchema, routes: readonly Route[], shapes: Shapes): Projection => {
  const leaf = leafProjector();
  const projectArguments = argumentProjector(leaf);
  const projectOutput = outputProjector(shapes, leaf);
  const roots = { Query: {} as RootFields, Mutation: {} as RootFields };
  const operations = routes.map((route) => {
    try {
      return projectRoute(source, route, roots, projectArguments, projectOutput);
    } catch (error) {
      throw new Error(`${route.method} ${route.path} (${route.operation}): ${(error as Error).message}`, {
        cause: error,
      });
    }
  });
  const query = new GraphQLObjectType({
    name: 'Query',
    // A schema needs at least one query, even when no GET is routed.
    fields: Object.keys(roots.Query).length > 0 ? roots.Query : { none: { type: GraphQLBoolean } },
  });
  const mutation =
    Object.keys(roots.Mutation).length > 0 ? new GraphQLObjectType({ name: 'Mutation', fields: roots.Mutation }) : null;
  return { schema: new GraphQLSchema({ query, mutation }), operations };
};

type RootFields = Record<string, GraphQLFieldConfig<unknown, unknown>>;

const projectRoute = (
  source: GraphQLSchema,
  route: Route,
  roots: Record<'Query' | 'Mutation', RootFields>,
  projectArguments: ProjectArguments,
  projectOutput: ProjectOutput,
): Operation => {
  const [root, name, field] = findField(source, route);
  const access = accessOf(field);
  if (access === null) throw new Error('the field declares no @Access');
  const { args, rename } = projectArguments(field.args.filter(({ name: arg }) => !graphqlOnlyArguments.has(arg)));
  const isJson = route.adapter?.produces === undefined;
  const type = isJson ? projectOutput(field.type, route.shapes ?? {}) : null;
  const config: GraphQLFieldConfig<unknown, unknown> = {
    type: type ?? GraphQLBoolean,
    args,
    description: field.description,
    deprecationReason: field.deprecationReason,
    resolve: (parent, given, context, info) => field.resolve?.(parent, rename(given), context, info),
  };
  if (isJson) {
    if (root === 'Subscription') throw new Error('a subscription needs an adapter that streams');
    if (name in roots[root]) throw new Error('the operation is routed twice');
    roots[root][name] = config;
  }
  return {
    route,
    access,
    description: field.description ?? null,
    deprecationReason: field.deprecationReason ?? null,
    ...placeArguments(route, asArguments(config)),
    type,
    ownLimit: field.extensions['ownLimit'] as OwnLimit | undefined,
    rename,
    invoke: (args, context) =>
      (field.subscribe ?? field.resolve)?.(undefined, rename(args), context, {} as GraphQLResolveInfo),
  };
};

const findField = (
  source: GraphQLSchema,
  route: Route,
): ['Query' | 'Mutation' | 'Subscription', string, GraphQLField<unknown, unknown>] => {
  const [root, name] = route.operation.split('.') as ['Query' | 'Mutation' | 'Subscription', string];
  const type = {
    Query: source.getQueryType(),
    Mutation: source.getMutationType(),
    Subscription: source.getSubscriptionType(),
  }[root];
  const field = type?.getFields()[name];
  if (field === undefined) throw new Error('there is no such operation');
  return [root, name, field];
};

const asArguments = (config: GraphQLFieldConfig<unknown, unknown>): readonly GraphQLArgument[] =>
  new GraphQLObjectType({ name: 'Arguments', fields: { field: config } }).getFields().field?.args ?? [];

const placeArguments = (route: Route, args: readonly GraphQLArgument[]) => {
  const inPath = pathParameters(route.path);
  const unknown = inPath.filter((name) => !args.some((arg) => arg.name === name));
  if (unknown.length > 0) throw new Error(`the operation has no argument for :${unknown.join(', :')}`);
  const input = args.find((arg) => arg.name === 'input') ?? null;
  if (route.body === 'input' && input === null) throw new Error('the operation has no argument `input` for the body');
  if (route.body === undefined && input !== null)
    throw new Error("the operation has an argument `input`: say body: 'input'");
  const query = args.filter((arg) => arg !== input && !inPath.includes(arg.name));
  if (route.method !== 'GET' && route.method !== 'DELETE' && query.length > 0) {
    throw new Error(`${query.map((arg) => arg.name).join(', ')} would come from the query string of a ${route.method}`);
  }
  const path = inPath.flatMap((name) => args.filter((arg) => arg.name === name));
  return { path, query, body: input };
};

/** `/agents/:id/x/:doc_id` → `id`, `doc_id`. */
const pathParameters = (path: string): string[] => [...path.matchAll(/:([a-z_]+)/g)].map(([, name]) => name ?? '');
