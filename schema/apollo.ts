import { ApolloServer, type ApolloServerPlugin, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { AppError } from '../src/core/errors.ts';
import { answerTooLarge, maxAnswerBytes } from './answer-budget.ts';
import { apolloPlugins } from './apollo-plugins.ts';
import type { GraphqlContext } from './context.ts';
import { requireBoundedDocument } from './document-bounds.ts';
import { formatGraphqlError } from './errors.ts';
import { executeKeyed, type KeyUse } from './keyed-mutation.ts';
import { maxTokens, validationRules } from './limits.ts';

interface ApolloOptions {
  schema: GraphQLSchema;
  introspection: boolean;
  /** Creates the context of a request whose `request.actor` is set. */
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext;
  /** Returns how a mutation treats an `Idempotency-Key`. */
  keyUseOf: (field: string) => KeyUse;
  log: Logger;
}

export interface Apollo {
  /** Executes a GraphQL request and sends the response. */
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  stop(): Promise<void>;
}

/** Starts Apollo Server for the schema, with all limits on documents, operations and responses. */
export async function startApollo({ schema, introspection, context, keyUseOf, log }: ApolloOptions): Promise<Apollo> {
  const apollo = new ApolloServer<GraphqlContext>({
    schema,
    // A validation rule disables introspection instead, because the message of Apollo's option names the library.
    introspection: true,
    // Unnecessary: credentials are bearer tokens, which a browser never sends on behalf of another site.
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    hideSchemaDetailsFromClientErrors: true,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    parseOptions: { maxLexicalTokens: maxTokens },
    validationRules: validationRules(introspection),
    plugins: [...apolloPlugins, landingPage(introspection)],
    formatError: formatGraphqlError,
    logger: log,
  });
  await apollo.start();
  return {
    answer: async (request, reply) => {
      const source = sourceOf(request);
      try {
        if (source !== null) requireBoundedDocument(source);
      } catch (error) {
        return sendErrors(reply.code(400), error);
      }
      const keyed = { request, reply, context: context(request, reply), keyUseOf };
      try {
        const response = await executeKeyed(keyed, (ctx) =>
          apollo.executeHTTPGraphQLRequest({
            httpGraphQLRequest: toApolloRequest(request),
            context: async () => ctx,
          }),
        );
        return await send(reply, response);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
        return sendErrors(reply.code(error.status), error);
      }
    },
    stop: () => apollo.stop(),
  };
}

const landingPage = (isShown: boolean): ApolloServerPlugin<GraphqlContext> =>
  isShown ? ApolloServerPluginLandingPageLocalDefault() : ApolloServerPluginLandingPageDisabled();

/** Returns the document of a request, or null for a malformed request, which Apollo reports. */
function sourceOf({ method, body, query }: FastifyRequest): string | null {
  const { query: source } = ((method === 'GET' ? query : body) ?? {}) as { query?: unknown };
  return typeof source === 'string' ? source : null;
}

function toApolloRequest({ method, headers, body, url }: FastifyRequest) {
  const named = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) named.set(name, Array.isArray(value) ? value.join(', ') : value);
  const start = url.indexOf('?');
  const search = start === -1 ? '' : url.slice(start).replace(emptyName, '');
  return { method, headers: named, body: withoutEmptyName(body), search };
}

/** An empty name in a query string, with the separator before it unless that is the question mark. */
const emptyName = /(?:(?<=\?)|&)operationName=(?=&|$)/;

/** Removes an empty `operationName`, which some clients send for an operation without a name. */
const withoutEmptyName = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'operationName' in body && body.operationName === ''
    ? { ...body, operationName: null }
    : body;

function send(reply: FastifyReply, { status, headers, body }: HTTPGraphQLResponse): FastifyReply {
  if (body.kind !== 'complete') throw new Error('Incremental delivery is not supported.');
  if (Buffer.byteLength(body.string) > maxAnswerBytes) return sendErrors(reply, answerTooLarge());
  for (const [name, value] of headers) void reply.header(name, value);
  return reply.code(status ?? 200).send(body.string);
}

const sendErrors = (reply: FastifyReply, error: unknown): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .send({ errors: [formatGraphqlError({ message: (error as Error).message }, error)] });
