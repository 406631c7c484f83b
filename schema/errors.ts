import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { asRefusal } from '../src/core/database-errors.ts';
import { AppError } from '../src/core/errors.ts';

/** What was thrown, without the GraphQL errors around it. */
export function unwrapError(thrown: unknown): unknown {
  const inner = thrown instanceof Error ? (thrown as { originalError?: unknown }).originalError : undefined;
  return inner instanceof Error ? unwrapError(inner) : thrown;
}

/**
 * An error as a GraphQL client sees it: `extensions.code` is the REST code in upper case, with `details` and
 * `retryAfterSeconds` where there are any. What is not our doing keeps GraphQL's own words; the rest says nothing.
 */
export function formatGraphqlError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const error = asRefusal(unwrapError(thrown));
  const { locations, path } = formatted;
  if (error instanceof AppError) {
    const { code, message, details, retryAfterSeconds } = error;
    return { message, locations, path, extensions: { code: code.toUpperCase(), details, retryAfterSeconds } };
  }
  if (error instanceof GraphQLError) {
    return { message: formatted.message, locations, path, extensions: { code: 'INVALID_REQUEST' } };
  }
  return { message: new AppError('internal_error').message, path, extensions: { code: 'INTERNAL_ERROR' } };
}
