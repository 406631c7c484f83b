import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  subscribe,
} from 'graphql';
import { createHandler } from 'graphql-sse';
import { accepts } from './content-negotiation.ts';
import { watchCredential } from '../src/api-keys/watch-credential.ts';
import type { GraphqlContext } from './context.ts';
import { AppError } from '../src/core/errors.ts';
import { documentReader, isSubscription, onlySubscriptions, operationNameOf, type ReadDocument } from './documents.ts';
import { formatGraphqlError, unwrapError } from './errors.ts';
import { validationRules } from './limits.ts';
import { createStreamFlow, sendStreamResponse, type StreamFlow } from './stream-response.ts';

interface StreamOptions {
  schema: GraphQLSchema;
  introspection: boolean;
  /** Creates the context of a request whose `request.actor` is set. */
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext;
  /** Time in milliseconds after which a client that reads nothing is disconnected. Defaults to a minute. */
  stallLimitMs?: number;
}

interface StreamRequest {
  reply: FastifyReply;
  flow: StreamFlow;
  /** Context of the operation; missing until the operation is accepted. */
  operation?: GraphqlContext;
}

// graphql-sse requires a context type that allows any additional property.
type StreamContext = GraphqlContext & Record<PropertyKey, unknown>;

const eventStream = 'text/event-stream';

/**
 * Creates a handler of subscriptions as Server-Sent Events, in graphql-sse's distinct connections mode with one
 * operation per connection.
 */
export function createStreamHandler({ schema, introspection, context, stallLimitMs }: StreamOptions) {
  const read = documentReader(schema, validationRules(introspection));
  const handle = createHandler<FastifyRequest, StreamRequest, StreamContext>({
    // Disables the single-connection mode, in which callers without a token would share streams.
    authenticate: () => null,
    onSubscribe: (request, { query, operationName, variables }) => {
      const contextValue = context(request.raw, request.context.reply) as StreamContext;
      request.context.operation = contextValue;
      const args = { schema, operationName: operationNameOf(operationName), variableValues: variables, contextValue };
      return prepare(args, query, read);
    },
    subscribe: async (args) =>
      withFormattedErrors(await subscribe(args as ExecutionArgs), args.contextValue as GraphqlContext),
    onNext: async (_context, { context: { flow } }) => {
      await flow.ready();
      flow.queued();
    },
  });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    requireEventStream(request);
    const flow = createStreamFlow();
    const streamRequest: StreamRequest = { reply, flow };
    const [body, init] = await handle({
      method: request.method,
      url: request.url,
      headers: { get: (name) => headerOf(request, name) },
      body: () => request.body as Record<PropertyKey, unknown> | null,
      raw: request,
      context: streamRequest,
    });
    if (init.status >= 400) throw refusal(init.status, body);
    const { operation } = streamRequest;
    const stopWatching = operation && watchCredential(operation, (error) => reply.raw.end(lastFrames(error)));
    await sendStreamResponse(reply, [body, init], flow, stallLimitMs);
    stopWatching?.();
  };
}

/** Returns the last frames, in the format of graphql-sse, of a stream whose credential was revoked or expired. */
const lastFrames = (error: AppError): string => {
  const result = { data: null, errors: [formatGraphqlError({ message: error.message }, error)] };
  return `event: next\ndata: ${JSON.stringify(result)}\n\nevent: complete\ndata: \n\n`;
};

/**
 * Checks that the client accepts event streams, as defined in RFC 9110.
 * @throws AppError `not_acceptable`
 */
function requireEventStream({ headers }: FastifyRequest): void {
  if (!accepts(headers.accept, eventStream)) throw new AppError('not_acceptable');
}

/** Returns a request header. `Accept` was checked before and is replaced, because graphql-sse compares it as text. */
function headerOf({ headers }: FastifyRequest, name: string): string | null {
  if (name === 'accept') return eventStream;
  const value = headers[name];
  return Array.isArray(value) ? value.join('\n') : (value ?? null);
}

/** Converts a rejection by graphql-sse to an error of the service. */
function refusal(status: number, body: unknown): AppError {
  if (status === 415) return new AppError('unsupported_media_type');
  const { errors } = (typeof body === 'string' ? JSON.parse(body) : {}) as { errors?: { message: string }[] };
  const message = errors?.[0]?.message;
  return new AppError('invalid_request', message === undefined ? {} : { message: `${message}.` });
}

/** Returns the validated arguments of a subscription, or the errors that reject it. */
async function prepare<Args extends Omit<ExecutionArgs, 'document'> & { operationName: string | undefined }>(
  args: Args,
  source: string,
  read: ReadDocument,
): Promise<(Args & { document: DocumentNode }) | ExecutionResult> {
  const document = await read(source);
  if (!('kind' in document)) return refused(document);
  if (isSubscription(document, args.operationName)) return { ...args, document };
  return refused([new GraphQLError(onlySubscriptions)]);
}

async function* mapErrors(
  results: AsyncGenerator<ExecutionResult, void, void>,
  { log, requestId }: GraphqlContext,
): AsyncGenerator<ExecutionResult, void, void> {
  try {
    for await (const result of results) yield formatted(result);
  } catch (error) {
    // graphql-sse would close the connection on an error, and clients would reconnect endlessly without learning the
    // cause.
    if (!(unwrapError(error) instanceof AppError)) log.error({ err: error, requestId }, 'a subscription failed');
    yield refused([new GraphQLError('The subscription failed.', { originalError: error as Error })]);
  }
}

const withFormattedErrors = (
  result: ExecutionResult | AsyncGenerator<ExecutionResult, void, void>,
  context: GraphqlContext,
) => (Symbol.asyncIterator in result ? mapErrors(result, context) : formatted(result));

/** Returns a result for errors. graphql-sse recognizes a result by its `data`. */
const refused = (errors: readonly GraphQLError[]): ExecutionResult => formatted({ data: null, errors });

/** Replaces the errors of a result with their public form. graphql-sse sends what their `toJSON` returns. */
const formatted = (result: ExecutionResult): ExecutionResult =>
  result.errors
    ? {
        ...result,
        errors: result.errors.map(
          (error) => ({ toJSON: () => formatGraphqlError(error.toJSON(), error) }) as unknown as GraphQLError,
        ),
      }
    : result;
