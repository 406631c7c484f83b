import type { FastifyInstance } from 'fastify';
import { AppError } from '../src/core/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Makes a scope accept JSON bodies and no others. */
export function acceptJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Parses a JSON body; undefined for an empty one. Unlike Fastify's parser it ignores `__proto__` like any unknown member
 * and rejects invalid UTF-8 instead of replacing it. @throws AppError `invalid_request`
 */
function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(body)) as unknown;
  } catch (cause) {
    const message = cause instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
    throw new AppError('invalid_request', { message, cause });
  }
}
