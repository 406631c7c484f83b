import { isNonNullType, type GraphQLArgument } from 'graphql';
import { commonHeaders, errorResponses, errorSchema, nothingLeft, takesIdempotencyKey } from './openapi-errors.ts';
import { exemplified } from './openapi-examples.ts';
import { streamExample } from './stream-example.ts';
import type { MediaType, Route } from '../routes/route.ts';
import type { JsonSchema } from './json-schema.ts';
import { documented, schemaCollector, type SchemaCollector } from './openapi-schemas.ts';
import type { Operation } from '../projection/projection.ts';
import { queryBounds } from '../projection/query-bounds.ts';
import { tagDescriptions } from '../routes/routes.ts';

/** The OpenAPI 3.1 document of /v1, derived from the projection and the table of routes. */
export const openApiDocument = (operations: readonly Operation[]): JsonSchema => {
  const collector = schemaCollector();
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const path = `/v1${operation.route.path.replaceAll(/:([a-z_]+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [operation.route.method.toLowerCase()]: operationObject(operation, collector) };
  }
  const schemas = Object.entries({ ...collector.schemas, Error: errorSchema });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Chat Service',
      version: '1',
      summary: 'Create AI agents and talk to them over REST, GraphQL and chat platforms.',
      description:
        'Requests and responses are JSON with snake_case names and UTC times. Send an access token or an API key as ' +
        '`Authorization: Bearer`. Unknown fields of a body are ignored; wrong types, unknown enum values and numbers ' +
        'out of range are rejected. The [guides](/docs/guide) explain the parts; [events](/docs/events) lists what webhooks send.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ route }) => route.tag))].map((name) => ({
      name,
      description: tagDescriptions[name] ?? `${name}.`,
    })),
    security: [bearer],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key (`ak_…`).' },
      },
      headers,
      parameters: { IdempotencyKey: idempotencyKey, LastEventId: lastEventId },
      schemas: Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
};

/** Whether a public operation gives another result to a signed-in caller. */
const changesWithCredential = ({ credential, publicMaxAge }: Route): boolean =>
  credential === 'optional' || publicMaxAge !== undefined;

/** Security requirement of an operation that takes a credential. */
const bearer = { bearer: [] };

const operationObject = (operation: Operation, collector: SchemaCollector): JsonSchema => {
  const { route, access, body } = operation;
  const { description, ...deprecation } = documented({}, operation);
  const parameters = [
    ...operation.path.map((arg) => parameter(arg, 'path', operation, collector)),
    ...operation.query.toSorted(byPagingLast).map((arg) => parameter(arg, 'query', operation, collector)),
    ...(takesIdempotencyKey(operation) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(streamsEvents(route) ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
  ];
  const needs = access === 'public' ? '' : `Needs ${needed[access] ?? `the scope \`${access}\``}.`;
  return {
    operationId: route.operation.replace(/^\w+\./, ''),
    tags: [route.tag],
    summary: route.summary,
    ...deprecation,
    description: [(description as string | undefined) ?? `${route.summary}.`, needs]
      .filter((text) => text !== '')
      .join(' '),
    ...(access === 'public' ? { security: changesWithCredential(route) ? [{}, bearer] : [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === null ? {} : { requestBody: requestBody(operation, body, collector) }),
    responses: {
      ...(route.existing
        ? { 200: { ...success(operation, collector), description: 'The object already existed.' } }
        : {}),
      [route.status]: success(operation, collector),
      ...(streamsEvents(route) ? nothingLeft : {}),
      ...errorResponses(operation),
    },
  };
};

const needed: Readonly<Record<string, string | undefined>> = {
  authenticated: 'a credential',
  session: 'an access token; an API key is not enough',
  moderator: 'an access token of a moderator',
};

const requestBody = ({ route }: Operation, body: GraphQLArgument, collector: SchemaCollector): JsonSchema => {
  // The body itself is never null; an optional one is omitted.
  const type = isNonNullType(body.type) ? body.type.ofType : body.type;
  return {
    required: isNonNullType(body.type),
    content: {
      [route.adapter?.upload ? 'multipart/form-data' : 'application/json']: { schema: withoutNull(collector.of(type)) },
    },
  };
};

const success = ({ route, type }: Operation, collector: SchemaCollector): JsonSchema => {
  const otherMedia = route.adapter?.produces ?? route.adapter?.alsoProduces ?? [];
  return {
    description: route.answer ?? (route.status === 201 ? 'Created.' : 'Success.'),
    headers: commonHeaders,
    content: {
      ...(type === null ? {} : { 'application/json': { schema: collector.of(type) } }),
      ...Object.fromEntries(otherMedia.map((media) => [media.name, mediaType(media)])),
    },
  };
};

const mediaType = ({ name, isBinary }: MediaType): JsonSchema => ({
  // JSON is the only text format whose schema is not a string.
  schema: name === 'application/json' ? {} : { type: 'string', ...(isBinary ? { format: 'binary' } : {}) },
  ...(name === eventStream ? { example: streamExample } : {}),
});

const eventStream = 'text/event-stream';

const streamsEvents = ({ adapter }: Route): boolean =>
  adapter?.produces?.some(({ name }) => name === eventStream) ?? false;

const parameter = (
  arg: GraphQLArgument,
  location: 'path' | 'query',
  { route }: Operation,
  collector: SchemaCollector,
): JsonSchema => {
  const bounds = location === 'query' ? queryBounds[arg.name] : undefined;
  const type = withoutNull(collector.of(arg.type));
  const usual = usualValue(arg, type);
  const [, of = route.path.split('/').at(-1) ?? ''] = new RegExp(`([^/]+)/:${arg.name}`).exec(route.path) ?? [];
  return {
    name: arg.name,
    in: location,
    required: location === 'path' || (isNonNullType(arg.type) && arg.defaultValue === undefined),
    ...documented(
      {},
      usual === undefined
        ? arg
        : { ...arg, description: `${(arg.description ?? '').replace(/Defaults to .*$/, '')}Defaults to ${usual}.` },
    ),
    schema: {
      ...exemplified(type, of, arg.name),
      ...(usual === undefined ? {} : { default: usual }),
      ...(bounds ? { minimum: bounds.min, maximum: bounds.max, default: bounds.default } : {}),
    },
  };
};

/** The wire value of a default, which a GraphQL description gives as an enum name. */
const usualValue = ({ description }: GraphQLArgument, { enum: values }: JsonSchema): string | undefined => {
  const [, name] = /Defaults to ([A-Z_]+)\.$/.exec(description ?? '') ?? [];
  return (values as string[] | undefined)?.find((value) => value.toUpperCase() === name);
};

/** An omitted parameter is absent, never null. */
const withoutNull = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.anyOf)) return schema.anyOf[0] as JsonSchema;
  if (!Array.isArray(schema.type)) return schema;
  const values = schema.enum as unknown[] | undefined;
  return {
    ...schema,
    type: schema.type[0] as string,
    ...(values ? { enum: values.filter((value) => value !== null) } : {}),
  };
};

const paging = ['limit', 'offset'];
const byPagingLast = (a: GraphQLArgument, b: GraphQLArgument): number =>
  paging.indexOf(a.name) - paging.indexOf(b.name) || (a.name < b.name ? -1 : 1);

const integerHeader = (description: string): JsonSchema => ({ description, schema: { type: 'integer' } });

const headers: Record<string, JsonSchema> = {
  RequestId: {
    description: 'The request’s value if it has 1 to 128 characters of `A-Z a-z 0-9 . _ -`, otherwise a new UUID.',
    schema: { type: 'string' },
  },
  RateLimitLimit: integerHeader('Number of requests allowed in the current window.'),
  RateLimitRemaining: integerHeader('Number of requests left in the current window.'),
  RateLimitReset: integerHeader('End of the current window, in Unix seconds.'),
  RetryAfter: integerHeader('Number of seconds to wait before a retry.'),
};

const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeated requests with the same key return the first response for 24 hours, with `Idempotency-Replayed: true`. On messages the key identifies the message.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

const lastEventId: JsonSchema = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of the last event received; the stream resumes after it. It takes precedence over a position in the query.',
  schema: { type: 'string', examples: ['gen_019aa5c3-7f2e-7c41-9d3b-5e8f2a6c1b04:6'] },
};
