/** The parts of an OpenAPI document that the client is generated from. */
export interface OpenApiDocument {
  info: { title: string; version: string };
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** A JSON Schema. `tsType` replaces it in TypeScript. */
export interface JsonSchema {
  [keyword: string]: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

interface OpenApiOperation {
  operationId: string;
  deprecated?: boolean;
  summary: string;
  description: string;
  security?: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

/** One function of the client. */
export interface ClientOperation {
  name: string;
  method: string;
  /** `/v1/agents/{id}`. */
  path: string;
  summary: string;
  description: string;
  deprecated: boolean;
  /** In path order. */
  pathParameters: string[];
  /** The schema of the query parameters, if any. */
  query: JsonSchema | null;
  body: { type: string; required: boolean; isForm: boolean } | null;
  answer: { kind: 'json'; type: string } | { kind: 'stream' | 'text' | 'binary' };
  paging: 'offset' | 'before' | null;
  /** Whether the call can be repeated after a lost response. */
  repeatable: boolean;
}

/**
 * Lists the operations of a document in their order, without those of visitors, whose credential is another one, and without
 * the streams of channels, which the client's socket follows.
 */
export const operationsOf = (document: OpenApiDocument): ClientOperation[] =>
  Object.entries(document.paths)
    .filter(([path]) => !path.startsWith('/v1/embed/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationOf(document, path, method, operation)),
    )
    .filter(({ answer, path }) => answer.kind !== 'stream' || path.includes('{conversation_id}'));

function operationOf(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OpenApiOperation,
): ClientOperation {
  const parameters = operation.parameters ?? [];
  const answer = answerOf(operation);
  // A typed result is always JSON, so its format is no choice.
  const query = parameters.filter(
    (parameter) => parameter.in === 'query' && !(answer.kind === 'json' && parameter.name === 'format'),
  );
  const needs = operation.security?.map((requirement) => Object.keys(requirement).length);
  const isPublic = needs?.length === 0 || needs?.includes(0);
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    deprecated: operation.deprecated ?? false,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: query.length === 0 ? null : querySchema(query),
    body: bodyOf(operation),
    answer,
    paging: isList(document, answer) ? pagingOf(query) : null,
    // An Idempotency-Key has no effect without a credential.
    repeatable: method !== 'post' || !isPublic,
  };
}

function answerOf({ operationId, responses }: OpenApiOperation): ClientOperation['answer'] {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const content = success?.content ?? {};
  if ('text/event-stream' in content) return { kind: 'stream' };
  if (Object.values(content).some(({ schema }) => schema['format'] === 'binary')) return { kind: 'binary' };
  // A file in one of several formats has no type of its own, unless its JSON, the default, has one.
  const isText = Object.keys(content).some((media) => media.startsWith('text/'));
  if (isText && content['application/json']?.schema['$ref'] === undefined) return { kind: 'text' };
  return { kind: 'json', type: named(operationId, contentOf(content).schema) };
}

function bodyOf({ operationId, requestBody }: OpenApiOperation): ClientOperation['body'] {
  if (requestBody === undefined) return null;
  const { media, schema } = contentOf(requestBody.content);
  return { type: named(operationId, schema), required: requestBody.required, isForm: media.startsWith('multipart/') };
}

/** The media type and schema of a body, of which there is one. */
const contentOf = (content: Record<string, { schema: JsonSchema }> = {}): { media: string; schema: JsonSchema } => {
  const [found] = Object.entries(content);
  return { media: found?.[0] ?? '', schema: found?.[1].schema ?? {} };
};

const referencePrefix = '#/components/schemas/';

function named(operationId: string, { $ref }: JsonSchema): string {
  if (typeof $ref === 'string' && $ref.startsWith(referencePrefix)) return $ref.slice(referencePrefix.length);
  throw new Error(`${operationId} has a schema without a name.`);
}

const querySchema = (parameters: readonly Parameter[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, ...(description ? { description } : {}) }]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

const isList = ({ components }: OpenApiDocument, answer: ClientOperation['answer']): boolean =>
  answer.kind === 'json' && components.schemas[answer.type]?.properties?.['data']?.['type'] === 'array';

const pagingOf = (query: readonly Parameter[]): ClientOperation['paging'] => {
  const has = (name: string): boolean => query.some((parameter) => parameter.name === name);
  if (has('before')) return 'before';
  return has('offset') ? 'offset' : null;
};
