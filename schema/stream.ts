import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type ExecutionArgs,
  createSourceEventStream,
  execute,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { createHandler } from 'graphql-sse';
import { accepts } from './content-negotiation.ts';
import { watchCredential } from '../src/api-keys/watch-credential.ts';
import type { GraphqlContext } from './context.ts';
import { openStream } from '../src/conversations/open-streams.ts';
import { AppError } from '../src/core/errors.ts';
import { isId } from '../src/core/ids.ts';
import type { ChannelEvent } from '../src/realtime/channel.ts';
import { documentReader, isSubscription, onlySubscriptions, operationNameOf, type ReadDocument } from './documents.ts';
import { formatGraphqlError, unwrapError } from './errors.ts';
import { validationRules } from './limits.ts';
import { replyEventId } from '../src/conversations/generations/resume-reply.ts';
import {
  createStreamFlow,
  asTemporary,
  endId,
  sendStreamResponse,
  type StreamFlow,
  withEventId,
} from './stream-response.ts';

interface StreamOptions {
  schema: GraphQLSchema;
  introspection: boolean;
  /** Creates the context of a request whose `request.actor` is set. */
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext;
  /** Time in milliseconds after which a client that reads nothing is disconnected. Defaults to a minute. */
  stallLimitMs?: number;
}

interface StreamRequest {
  flow: StreamFlow;
  operation: GraphqlContext;
  /** Unregisters the stream. */
  close?: () => void;
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
      const contextValue = request.context.operation as StreamContext;
      const args = { schema, operationName: operationNameOf(operationName), variableValues: variables, contextValue };
      return prepare(args, query, read, request.context);
    },
    // `prepare` validates with all rules.
    validate: () => [],
    subscribe: async (args) => follow(args as ExecutionArgs, args.contextValue as GraphqlContext),
    onNext: async (_context, { context: { flow } }, result) => {
      await flow.ready();
      flow.queued(result);
    },
  });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    requireEventStream(request);
    const operation = context(request, reply);
    if (operation.lastEventId === endId) return void reply.code(204).send();
    const flow = createStreamFlow();
    const streamRequest: StreamRequest = { flow, operation };
    try {
      const response = await handle({
        method: request.method,
        url: request.url,
        headers: { get: (name) => headerOf(request, name) },
        body: () => request.body as Record<PropertyKey, unknown> | null,
        raw: request,
        context: streamRequest,
      });
      const [body, init] = response;
      if (init.status >= 400) throw refusal(init.status, body);
      const stopWatching = watchCredential(operation, (error) => reply.raw.end(lastFrames(error)));
      await sendStreamResponse(reply, response, flow, stallLimitMs);
      stopWatching();
    } finally {
      streamRequest.close?.();
    }
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

/**
 * Returns the validated arguments of a subscription, or the errors that reject it. Registers the stream, before the
 * subscription begins.
 */
async function prepare<Args extends Omit<ExecutionArgs, 'document'> & { operationName: string | undefined }>(
  args: Args,
  source: string,
  read: ReadDocument,
  request: StreamRequest,
): Promise<(Args & { document: DocumentNode }) | ExecutionResult> {
  const document = await read(source);
  if (!('kind' in document)) return refused(document);
  if (!isSubscription(document, args.operationName)) return refused([new GraphQLError(onlySubscriptions)]);
  try {
    request.close = openStream(request.operation);
  } catch (error) {
    return refused([new GraphQLError((error as Error).message, { originalError: error as Error })]);
  }
  return { ...args, document };
}

/**
 * Returns the id with which a reader resumes after an event of a reply, of a channel or of the account; null for events of
 * other subscriptions, which cannot be resumed.
 */
function streamEventId(event: unknown): string | null {
  if (typeof event !== 'object' || event === null) return null;
  if ('generationId' in event) return replyEventId(event as { generationId: string });
  if ('offset' in event) return (event as ChannelEvent).offset;
  return 'id' in event && isId('evt_', String(event.id)) ? String(event.id) : null;
}

/** Subscribes, and executes the operation for each event. A result has the id of its event. */
async function follow(
  args: ExecutionArgs,
  context: GraphqlContext,
): Promise<ExecutionResult | AsyncGenerator<ExecutionResult, void, void>> {
  const source = await createSourceEventStream(args);
  return Symbol.asyncIterator in source ? results(source, args, context) : formatted(source);
}

async function* results(
  source: AsyncIterable<unknown>,
  args: ExecutionArgs,
  { log, requestId }: GraphqlContext,
): AsyncGenerator<ExecutionResult, void, void> {
  try {
    for await (const event of source) {
      const result = await execute({ ...args, rootValue: event });
      yield withEventId(formatted(result), streamEventId(event));
    }
  } catch (error) {
    // graphql-sse would close the connection on an error, and clients would reconnect endlessly without learning the
    // cause.
    if (!(unwrapError(error) instanceof AppError)) log.error({ err: error, requestId }, 'a subscription failed');
    yield refused([new GraphQLError('The subscription failed.', { originalError: error as Error })]);
  }
}

/** Returns a result for errors. graphql-sse recognizes a result by its `data`. */
const refused = (errors: readonly GraphQLError[]): ExecutionResult => formatted({ data: null, errors });

/** Replaces the errors of a result with their public form. graphql-sse sends what their `toJSON` returns. */
function formatted(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map(
    (error) => ({ toJSON: () => formatGraphqlError(error.toJSON(), error) }) as unknown as GraphQLError,
  );
  const sent = { ...result, errors };
  return result.errors.some(isTemporary) ? asTemporary(sent) : sent;
}

/** Returns whether the same subscription may succeed later or with another credential. */
function isTemporary(error: GraphQLError): boolean {
  if (!error.originalError) return false;
  const thrown = unwrapError(error);
  return !(thrown instanceof AppError) || thrown.status >= 500 || thrown.status === 401 || thrown.status === 429;
}
