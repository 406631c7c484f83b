import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  subscribe,
  validate,
} from 'graphql';
import { createHandler } from 'graphql-sse/lib/use/fastify';
import type { GraphqlContext } from './context.ts';
import { AppError } from '../src/core/errors.ts';
import { formatGraphqlError, unwrapError } from './errors.ts';
import { graphqlLimits, maxTokens } from './limits.ts';

interface StreamOptions {
  schema: GraphQLSchema;
  introspection: boolean;
  /** `request.actor` is known. */
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext;
}

// graphql-sse wants a context that anything could be added to.
type StreamContext = GraphqlContext & Record<PropertyKey, unknown>;

/** Subscriptions as Server-Sent Events in graphql-sse's distinct mode: one connection, one operation. */
export function createStreamHandler({ schema, introspection, context }: StreamOptions) {
  const rules = [
    ...specifiedRules,
    ...graphqlLimits.validationRules,
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  return createHandler<StreamContext>({
    // Single-connection mode would share streams between callers without a token.
    authenticate: () => null,
    onSubscribe: (request, { query, operationName, variables }) => {
      const contextValue = context(request.raw, request.context.reply) as StreamContext;
      return prepare({ schema, operationName, variableValues: variables, contextValue }, query, rules);
    },
    subscribe: async (args) =>
      withFormattedErrors(await subscribe(args as ExecutionArgs), args.contextValue as GraphqlContext),
  });
}

/** The checked arguments of a subscription, or the errors that refuse it. */
function prepare<Args extends Omit<ExecutionArgs, 'document'>>(
  args: Args,
  query: unknown,
  rules: (typeof specifiedRules)[number][],
): (Args & { document: DocumentNode }) | ExecutionResult {
  try {
    const document = parse(String(query), { maxLexicalTokens: maxTokens });
    const errors = validate(args.schema, document, rules);
    if (errors.length > 0) return refused(errors);
    if (getOperationAST(document, args.operationName)?.operation !== OperationTypeNode.SUBSCRIPTION) {
      throw new GraphQLError('Only subscriptions are served here. Send queries and mutations to /graphql.');
    }
    return { ...args, document };
  } catch (error) {
    return refused([error instanceof GraphQLError ? error : new GraphQLError('The document is not valid.')]);
  }
}

async function* mapErrors(
  results: AsyncGenerator<ExecutionResult, void, void>,
  { log, requestId }: Pick<GraphqlContext, 'log' | 'requestId'>,
): AsyncGenerator<ExecutionResult, void, void> {
  try {
    for await (const result of results) yield formatted(result);
  } catch (error) {
    // graphql-sse would drop the connection, and the client would connect again and again without learning why.
    if (!(unwrapError(error) instanceof AppError)) log.error({ err: error, requestId }, 'a subscription failed');
    yield refused([new GraphQLError('The subscription failed.', { originalError: error as Error })]);
  }
}

const withFormattedErrors = (
  result: ExecutionResult | AsyncGenerator<ExecutionResult, void, void>,
  context: Pick<GraphqlContext, 'log' | 'requestId'>,
) => (Symbol.asyncIterator in result ? mapErrors(result, context) : formatted(result));

/** graphql-sse takes an answer for one by its `data`. */
const refused = (errors: readonly GraphQLError[]): ExecutionResult => formatted({ data: null, errors });

/** graphql-sse sends errors as they serialise, so each is replaced by its public form. */
const formatted = (result: ExecutionResult): ExecutionResult =>
  result.errors
    ? {
        ...result,
        errors: result.errors.map(
          (error) => ({ toJSON: () => formatGraphqlError(error.toJSON(), error) }) as unknown as GraphQLError,
        ),
      }
    : result;
