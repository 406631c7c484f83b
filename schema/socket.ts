import {
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import { makeServer, type Server } from 'graphql-ws';
import type { Ctx } from '../src/core/ctx.ts';
import { AppError } from '../src/core/errors.ts';
import { createGraphqlContext, type GraphqlContext } from './context.ts';
import { documentReader } from './documents.ts';
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
    onSubscribe: async ({ extra }, id, { query, operationName, variables, extensions }) => {
      const document = read(query);
      if (!('kind' in document)) return document;
      if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.SUBSCRIPTION)
        return [new GraphQLError('Only subscriptions are served here. Send queries and mutations to /graphql.')];
      try {
        if (extra.operations.size >= maxOperations) {
          const message = `A socket has at most ${maxOperations} subscriptions.`;
          throw new AppError('rate_limited', { message });
        }
        const left = new AbortController();
        extra.operations.set(id, left);
        await extra.admit();
        const contextValue = contextOf(extra, left.signal, extensions?.['idempotencyKey']);
        return { schema, document, operationName, variableValues: variables, contextValue } as ExecutionArgs;
      } catch (error) {
        extra.operations.delete(id);
        return [new GraphQLError((error as Error).message, { originalError: error as Error })];
      }
    },
    onNext: (_context, _id, _payload, _args, result) => formatted(result),
    onError: (_context, _id, _payload, errors) => errors.map((error) => formatGraphqlError(error.toJSON(), error)),
    onComplete: ({ extra }, id) => void extra.operations.delete(id),
  });
}

const formatted = ({ errors, ...rest }: ExecutionResult) =>
  errors ? { ...rest, errors: errors.map((error) => formatGraphqlError(error.toJSON(), error)) } : rest;

/** Returns the token in the payload of `connection_init`, which is `{ token }` or `{ Authorization: "Bearer …" }`. */
function tokenIn(params: Readonly<Record<string, unknown>> | undefined): string | null {
  const { token, Authorization: header = params?.['authorization'] } = params ?? {};
  if (typeof token === 'string') return token;
  return (typeof header === 'string' && /^Bearer ([\x21-\x7e]+)$/i.exec(header)?.[1]) || null;
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
