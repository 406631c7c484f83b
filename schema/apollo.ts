import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { Logger } from 'pino';
import { AppError } from '../src/core/errors.ts';
import type { GraphqlContext } from './context.ts';
import { formatGraphqlError, unwrapError } from './errors.ts';
import { graphqlLimits, maxTokens } from './limits.ts';

interface ApolloOptions {
  schema: GraphQLSchema;
  introspection: boolean;
  /** `request.actor` is known. */
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext;
  log: Logger;
}

export interface Apollo {
  /** What it returns is sent. */
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  stop(): Promise<void>;
}

/** Apollo Server on the schema, with the limits, started. */
export async function startApollo({ schema, introspection, context, log }: ApolloOptions): Promise<Apollo> {
  const apollo = new ApolloServer<GraphqlContext>({
    schema,
    introspection,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    hideSchemaDetailsFromClientErrors: true,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    parseOptions: { maxLexicalTokens: maxTokens },
    validationRules: graphqlLimits.validationRules,
    plugins: [...limitPlugins, refuseSubscriptions, logFailures, landingPage(introspection)],
    formatError: formatGraphqlError,
    logger: log,
  });
  await apollo.start();
  const answer = fastifyApolloHandler(apollo, { context: async (request, reply) => context(request, reply) });
  return { answer: answer as Apollo['answer'], stop: () => apollo.stop() };
}

// Typed against the other of Apollo's two builds.
const limitPlugins = graphqlLimits.plugins as unknown as ApolloServerPlugin<GraphqlContext>[];

const landingPage = (shown: boolean): ApolloServerPlugin<GraphqlContext> =>
  shown ? ApolloServerPluginLandingPageLocalDefault() : ApolloServerPluginLandingPageDisabled();

/** Apollo would execute one like a query, and fail. */
const refuseSubscriptions: ApolloServerPlugin = {
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

/** What is not the client's doing is logged, as in REST. */
const logFailures: ApolloServerPlugin<GraphqlContext> = {
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
