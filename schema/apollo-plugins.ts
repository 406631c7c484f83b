import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { GraphQLError, Kind, OperationTypeNode } from 'graphql';
import { AppError } from '../src/core/errors.ts';
import type { GraphqlContext } from './context.ts';
import { unwrapError } from './errors.ts';
import { maxOperationCost, operationCost } from './operation-cost.ts';
import { ownLimitOf, rootFieldsOf } from './root-fields.ts';

type Plugin = ApolloServerPlugin<GraphqlContext>;

/** Apollo would execute a subscription like a query, and fail. */
const refuseSubscriptions: Plugin = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ operation }) => {
      if (operation?.operation === OperationTypeNode.SUBSCRIPTION) {
        throw new GraphQLError('Subscriptions are not served here. Send them to /graphql/stream.', {
          extensions: { http: { status: 400 } },
        });
      }
    },
  }),
};

/** Rejects an operation that could return too much, and counts each root field like its REST route. */
const limitOperations: Plugin = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ schema, operation, document, request, contextValue }) => {
      if (!operation) return;
      const fragments = new Map(
        document.definitions.flatMap((node) =>
          node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
        ),
      );
      if (operationCost({ schema, fragments, variables: request.variables ?? {} }, operation) > maxOperationCost) {
        throw new GraphQLError(
          `The operation could return more than ${maxOperationCost} values. Select fewer fields or request smaller pages.`,
          { extensions: { http: { status: 400 } } },
        );
      }
      const fields = rootFieldsOf(schema, operation, (name) => fragments.get(name));
      await contextValue.countFields(fields.map(ownLimitOf)).catch(refuseWithStatus);
    },
  }),
};

/** An error that refuses the whole request has the status that it has in REST. */
function refuseWithStatus(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const { status, retryAfterSeconds } = error;
  const headers = new HeaderMap(retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]);
  // Another package declares `http.headers` as a plain object; Apollo takes its own HeaderMap.
  throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status, headers } as never } });
}

/**
 * GraphQL over HTTP: as `application/json` a well-formed request has status 200 even when its document is not valid,
 * because older clients read no body of another status. `application/graphql-response+json` has 400.
 */
const legacyStatus: Plugin = {
  requestDidStart: async () => ({
    willSendResponse: async ({ source, request, response }) => {
      const accept = request.http?.headers.get('accept') ?? '';
      if (source && response.http.status === 400 && !accept.includes('application/graphql-response+json'))
        response.http.status = 200;
    },
  }),
};

/** Logs failures that the client did not cause, as REST does. */
const logFailures: Plugin = {
  requestDidStart: async () => ({
    didEncounterErrors: async ({ errors, contextValue }) => {
      for (const error of errors) {
        const thrown = unwrapError(error);
        if (error.path && !(thrown instanceof AppError && thrown.status < 500)) {
          const { log, requestId } = contextValue;
          log.error({ err: thrown, path: error.path, requestId }, 'operation failed');
        }
      }
    },
  }),
};

export const apolloPlugins: readonly Plugin[] = [refuseSubscriptions, limitOperations, legacyStatus, logFailures];
