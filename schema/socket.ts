import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { makeServer, type Server } from 'graphql-ws';
import type { Ctx } from '../src/core/ctx.ts';
import { AppError } from '../src/core/errors.ts';
import { credentialIn } from '../src/core/http/bearer.ts';
import { openStream } from '../src/conversations/open-streams.ts';
import { createGraphqlContext, type GraphqlContext } from './context.ts';
import { documentReader, isSubscription, onlySubscriptions, operationNameOf } from './documents.ts';
import { formatGraphqlError } from './errors.ts';
import { validationRules } from './limits.ts';

/** A WebSocket connection. */
export interface GraphqlConnection {
  /** Verifies the credential of the connection, or closes it. */
  connect(token: string | null): Promise<void>;
  /**
   * Counts an operation against the rate limit.
   * @throws AppError `rate_limited`
   */
  admit(): Promise<void>;
  newCtx(): Ctx;
  /** Controllers by operation id, each aborted when its operation ends. */
  operations: Map<string, AbortController>;
  /** Runs the given work after the earlier work of this connection, so that one connection cannot delay others for long. */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

const maxOperations = 50;

/**
 * Creates a server of the graphql-transport-ws protocol for subscriptions. Rejects queries and mutations, which belong
 * to /graphql, and more than 50 subscriptions per connection.
 */
export function createGraphqlSocketServer(schema: GraphQLSchema, introspection: boolean): Server<GraphqlConnection> {
  const read = documentReader(schema, validationRules(introspection));
  return makeServer<Record<string, unknown>, GraphqlConnection>({
    // The connection closes itself, after it has read what arrived while the process was frozen.
    connectionInitWaitTimeout: 0,
    onConnect: async ({ connectionParams, extra }) => extra.connect(tokenIn(connectionParams)),
    onSubscribe: async ({ extra }, id, { query, operationName: name, variables, extensions }) => {
      try {
        if (extra.operations.size >= maxOperations) {
          const message = `A socket can have at most ${maxOperations} subscriptions.`;
          throw new AppError('rate_limited', { message });
        }
        const left = new AbortController();
        extra.operations.set(id, left);
        // Counted before its document is read, so that no document, valid or not, costs more than a request.
        await extra.admit();
        const document = await extra.inTurn(() => read(query));
        if (!('kind' in document)) return refuse(extra, id, document);
        const operationName = operationNameOf(name);
        if (!isSubscription(document, operationName)) return refuse(extra, id, [new GraphQLError(onlySubscriptions)]);
        const contextValue = contextOf(extra, left.signal, extensions?.['idempotencyKey']);
        const close = openStream(contextValue);
        left.signal.addEventListener('abort', close, { once: true });
        if (left.signal.aborted) close();
        return { schema, document, operationName, variableValues: variables, contextValue } as ExecutionArgs;
      } catch (error) {
        return refuse(extra, id, [new GraphQLError((error as Error).message, { originalError: error as Error })]);
      }
    },
    onNext: (_context, _id, _payload, _args, result) => formatted(result),
    onError: (_context, _id, _payload, errors) => errors.map((error) => formatGraphqlError(error.toJSON(), error)),
    onComplete: ({ extra }, id) => end(extra, id),
  });
}

function end({ operations }: GraphqlConnection, id: string): void {
  operations.get(id)?.abort();
  operations.delete(id);
}

function refuse(connection: GraphqlConnection, id: string, errors: readonly GraphQLError[]) {
  end(connection, id);
  return errors;
}

const formatted = ({ errors, ...rest }: ExecutionResult) =>
  errors ? { ...rest, errors: errors.map((error) => formatGraphqlError(error.toJSON(), error)) } : rest;

/**
 * Returns the token in the payload of `connection_init`: `{ token }`, `{ Authorization }` or `{ headers: { … } }`, with or
 * without `Bearer`.
 */
function tokenIn(params: Readonly<Record<string, unknown>> | undefined): string | null {
  const { token, Authorization, authorization, headers } = params ?? {};
  const given = [token, Authorization, authorization].find((value) => typeof value === 'string' && value !== '');
  if (typeof given === 'string') return credentialIn(given);
  return typeof headers === 'object' && headers !== null ? tokenIn({ ...headers, headers: undefined }) : null;
}

/** Creates the context of an operation that lasts until `left` is aborted. */
const contextOf = (connection: GraphqlConnection, left: AbortSignal, idempotencyKey: unknown): GraphqlContext =>
  createGraphqlContext(connection.newCtx(), {
    userAgent: null,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
    lastEventId: null,
    markReplayed: () => undefined,
    markExisting: () => undefined,
    isExisting: () => false,
    onDelivered: () => undefined,
    leftSignal: () => left,
    countFields: async () => undefined,
  });
