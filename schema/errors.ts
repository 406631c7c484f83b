import { GraphQLError, type GraphQLFormattedError, Kind, TokenKind } from 'graphql';
import { toPublicError } from '../src/core/database/database-errors.ts';
import { AppError, type ErrorCode } from '../src/core/errors.ts';
import { int32, rangeText } from '../src/core/input.ts';

/** Returns the original error without the GraphQL errors that wrap it. */
export function unwrapError(thrown: unknown): unknown {
  const inner = thrown instanceof Error ? (thrown as { originalError?: unknown }).originalError : undefined;
  return inner instanceof Error ? unwrapError(inner) : thrown;
}

const outOfRange = /Int cannot represent non 32-bit signed integer value: \S+/;

/** Describes the range after the name of the field, which GraphQL adds only to the values of variables. */
function inRange({ nodes }: GraphQLError): string {
  const colon = nodes?.[0]?.loc?.startToken.prev;
  const field = nodes?.[0]?.kind === Kind.INT && colon?.kind === TokenKind.COLON ? `${colon.prev?.value}: ` : '';
  return `${field}must be a whole number ${rangeText(int32)}`;
}

/** Codes of requests that Apollo refuses with another status than 400. */
const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  405: 'method_not_allowed',
  406: 'not_acceptable',
  415: 'unsupported_media_type',
};

const codeOf = ({ extensions }: GraphQLError): ErrorCode => {
  const { status } = (extensions['http'] ?? {}) as { status?: number };
  return codesByStatus[status ?? 400] ?? 'invalid_request';
};

/**
 * Returns the public form of an error: `extensions.code` is the REST code in upper case, with `details` and
 * `retryAfterSeconds` if there are any. GraphQL's own errors keep their message without suggestions, which would reveal
 * names of a schema that cannot be introspected. All other errors become internal errors without details.
 */
export function formatGraphqlError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const error = toPublicError(unwrapError(thrown));
  const { locations, path } = formatted;
  if (error instanceof AppError) {
    const { code, message, details, retryAfterSeconds } = error;
    return { message, locations, path, extensions: { code: code.toUpperCase(), details, retryAfterSeconds } };
  }
  if (error instanceof GraphQLError) {
    const message = formatted.message.replace(/ ?Did you mean [^]*$/, '').replace(outOfRange, inRange(error));
    return { message, locations, path, extensions: { code: codeOf(error).toUpperCase() } };
  }
  return { message: new AppError('internal_error').message, path, extensions: { code: 'INTERNAL_ERROR' } };
}
