import { errorTable, type ErrorCode } from '../../src/core/errors.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Operation } from '../projection/projection.ts';

/** The error codes of an operation: those that follow from what it needs, and those of its row. */
const errorCodes = (operation: Operation): ErrorCode[] => {
  const { route, access, path, query, body } = operation;
  const codes = new Set<ErrorCode>();
  // An unexpected body is parsed, too.
  const readsBody = body !== null || route.method !== 'GET';
  if (readsBody || query.length > 0) codes.add('invalid_request');
  if (access !== 'public') codes.add('unauthenticated');
  if (access !== 'public' && access !== 'authenticated' && access !== 'moderator') codes.add('insufficient_scope');
  if (path.length > 0 || access === 'moderator') codes.add('not_found');
  if (readsBody) codes.add('payload_too_large').add('unsupported_media_type');
  if (takesIdempotencyKey(operation)) codes.add('idempotency_in_progress').add('idempotency_mismatch');
  for (const code of route.errors ?? []) codes.add(code);
  return [...codes, 'rate_limited', 'internal_error', 'unavailable'];
};

/** Whether an operation accepts an `Idempotency-Key`: every POST that takes a credential. */
export const takesIdempotencyKey = ({ route, access }: Operation): boolean =>
  route.method === 'POST' && (access !== 'public' || route.credential === 'optional');

/** The error responses of an operation. */
export const errorResponses = (operation: Operation): Record<string, JsonSchema> => responsesOf(errorCodes(operation));

/** Error responses by status, each naming its codes. */
export const responsesOf = (codes: readonly ErrorCode[]): Record<string, JsonSchema> => {
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [String(status), errorResponse(status, codes)]),
  );
};

const errorResponse = (status: number, codes: readonly ErrorCode[]): JsonSchema => {
  const unique = [...new Set(codes)];
  const [first = 'internal_error'] = unique;
  return {
    description: unique.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
    headers: {
      ...commonHeaders,
      ...(status === 401 ? { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } } : {}),
      ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { error: { code: first, message: errorTable[first].message } },
      },
    },
  };
};

/** Headers of every response. */
export const commonHeaders: Record<string, JsonSchema> = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
};

export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The format of every error.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorTable) },
        message: { type: 'string', description: 'Explanation for the user: what is wrong and what is allowed.' },
        details: {
          type: 'array',
          description: 'One item for each invalid field.',
          items: {
            type: 'object',
            required: ['field', 'code', 'message'],
            properties: {
              field: { type: 'string', description: 'A path such as `events[0]`.' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
          },
        },
      },
    },
  },
};

/** Response to a client that reconnects to a stream of which nothing is left. */
export const nothingLeft: JsonSchema = {
  204: {
    description: 'With `Last-Event-ID`: that was the last event, or the stream no longer exists. Do not reconnect.',
    headers: commonHeaders,
  },
};
