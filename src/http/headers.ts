import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * Returns the headers that helmet sets. They are the same for every response and costly to compute, so they are read
 * once.
 */
const hardening = (): Record<string, string> => {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  helmet({ contentSecurityPolicy: false, crossOriginResourcePolicy: { policy: 'cross-origin' } })(
    {} as IncomingMessage,
    response as unknown as ServerResponse,
    () => undefined,
  );
  return headers;
};

/** Allows any origin: credentials are bearer headers, so there are no cookies to protect. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Idempotency-Replayed',
};

/** Headers of every response. */
export const staticHeaders: Readonly<Record<string, string>> = { ...crossOrigin, ...hardening() };

/** Headers of the response to a preflight request. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  ...crossOrigin,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id, Apollo-Require-Preflight',
  'access-control-max-age': '86400',
  'content-length': '0',
};
