import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorResponse } from '../../rest/errors.ts';
import { AppError } from '../core/errors.ts';

const lingerMs = 1_000;

/**
 * Sends an error response on a connection whose data is not valid HTTP, or that does not complete a request in time.
 */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const { body } = errorResponse(new AppError('invalid_request', { message: 'The request is not valid HTTP.' }));
  const text = JSON.stringify(body);
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${randomUUID()}`,
      'X-RateLimit-Limit: 0',
      'X-RateLimit-Remaining: 0',
      `X-RateLimit-Reset: ${Math.ceil(Date.now() / 1000)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
  // A client that does not close its side would keep the connection open forever.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
