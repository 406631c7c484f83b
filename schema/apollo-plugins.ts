import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { GraphQLError, Kind, OperationTypeNode } from 'graphql';
import { AppError } from '../src/core/errors.ts';
import type { GraphqlContext } from './context.ts';
import { unwrapError } from './errors.ts';
import { maxOperationCost, operationCost } from './operation-cost.ts';
import { ownLimitOf, rootFieldsOf } from './root-fields.ts';

type Plugin = ApolloServerPlugin<GraphqlContext>;

/** Rejects subscriptions, which Apollo would execute like queries. */
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

/**
 * Rejects an operation that could return too many values, and counts each root field against the rate limit of its REST
 * route.
 */
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

/** Rethrows an error that rejects the whole request with the HTTP status that REST uses. */
function refuseWithStatus(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const { status, retryAfterSeconds } = error;
  const headers = new HeaderMap(retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]);
  // The cast is needed because another package declares `http.headers` as a plain object, while Apollo requires its own
  // HeaderMap.
  throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status, headers } as never } });
}

/**
 * Responds with 200 to a well-formed request whose document is invalid, unless the client accepts
 * `application/graphql-response+json`. GraphQL over HTTP requires this, because older clients ignore the body of other
 * statuses.
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

/** Logs errors that the client did not cause, as REST does. */
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
