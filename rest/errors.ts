import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { toPublicError } from '../src/core/database/database-errors.ts';
import { AppError, type ErrorCode, type ErrorDetail } from '../src/core/errors.ts';
import { snakeCase } from '../src/core/wire.ts';

/** The error envelope. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: ErrorDetail[] };
}

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/**
 * The response to a thrown error: an AppError (also inside a GraphQL error), a refusal by Fastify or a failure of the
 * database. Any other error is `internal_error` without detail.
 */
export const errorResponse = (thrown: unknown): ErrorResponse => {
  const error = asAppError(thrown);
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfterSeconds));
  const { code, message, details } = error;
  const fields = details?.map((detail) => detail.field) ?? [];
  return {
    status: error.status,
    headers,
    body: {
      error: {
        code,
        message: onTheWire(message, fields),
        ...(details === undefined ? {} : { details: details.map((detail) => wireDetail(detail, fields)) }),
      },
    },
  };
};

/** The response to a failed request. Failures that the client did not cause are logged with the request's id. */
export const loggedErrorResponse = (thrown: unknown, request: FastifyRequest): ErrorResponse => {
  const answer = errorResponse(thrown);
  if (answer.status === 500) request.log.error({ err: unwrapped(thrown), requestId: request.id }, 'request failed');
  else if (answer.status > 500)
    request.log.warn({ err: unwrapped(thrown), requestId: request.id }, 'dependency failed');
  return answer;
};

/** Sends the error envelope. */
export const sendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { status, headers, body } = loggedErrorResponse(thrown, request);
  // JSON text, so that no route's serializer changes it.
  return reply.code(status).headers(headers).send(JSON.stringify(body));
};

/** Unwraps the GraphQL errors around an error thrown by a resolver (the compiled executor has its own class). */
const unwrapped = (thrown: unknown): unknown => {
  const inner = thrown instanceof Error ? (thrown as { originalError?: unknown }).originalError : undefined;
  return inner instanceof Error ? unwrapped(inner) : thrown;
};

const asAppError = (thrown: unknown): AppError => {
  const error = toPublicError(unwrapped(thrown));
  if (error instanceof AppError) return error;
  // A GraphQL error without a path is about variables. Rare, because requests are validated before.
  if (error instanceof GraphQLError && error.path === undefined && error.nodes !== undefined) {
    return new AppError('invalid_request', { cause: error });
  }
  return refusal(error) ?? new AppError('internal_error', { cause: error });
};

const refusals: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  503: 'unavailable',
};

/** A refusal by Fastify or one of its plugins, by its status. Its message is not exposed. */
const refusal = (error: unknown): AppError | null => {
  const { statusCode, code } = (error ?? {}) as { statusCode?: unknown; code?: unknown };
  if (typeof statusCode !== 'number' || typeof code !== 'string' || !code.startsWith('FST_')) return null;
  const known = refusals[statusCode];
  if (known !== undefined) return new AppError(known, { cause: error });
  return statusCode >= 400 && statusCode < 500 ? new AppError('invalid_request', { cause: error }) : null;
};

const wireDetail = ({ field, code, message }: ErrorDetail, fields: readonly string[]): ErrorDetail => ({
  field: snakeCase(field),
  code,
  message: onTheWire(message, fields),
});

/** The message with its fields in their wire names. */
const onTheWire = (text: string, fields: readonly string[]): string => {
  let spelled = text;
  for (const field of fields) if (/[A-Z]/.test(field)) spelled = spelled.replaceAll(field, snakeCase(field));
  return spelled;
};
