import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../src/core/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Makes a scope accept JSON bodies and no others. */
export function acceptJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requirePlainUtf8(request);
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Requires a body that is not compressed and encoded as UTF-8. @throws AppError `unsupported_media_type` */
function requirePlainUtf8({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim() || 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('unsupported_media_type', {
      message: `The content encoding ${encoding.slice(0, 40)} is not supported. Send the body uncompressed.`,
    });
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset))
    throw new AppError('unsupported_media_type', {
      message: `The charset ${charset.slice(0, 40)} is not supported. Encode the body as UTF-8.`,
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
