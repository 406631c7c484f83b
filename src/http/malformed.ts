import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorResponse } from '../../rest/errors.ts';
import { AppError } from '../core/errors.ts';

const lingerMs = 1_000;

/**
 * Sends an error response and closes the connection: `unavailable` when its request timed out, `invalid_request` when its
 * data is not valid HTTP or its headers are too large.
 */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const { status, headers, body } = errorResponse(refusalOf(error.code));
  const text = JSON.stringify(body);
  const allHeaders = {
    ...headers,
    'content-length': Buffer.byteLength(text),
    'x-request-id': randomUUID(),
    'x-ratelimit-limit': 0,
    'x-ratelimit-remaining': 0,
    'x-ratelimit-reset': Math.ceil(Date.now() / 1000),
    connection: 'close',
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'));
  // A client that does not close its side would keep the connection open forever.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function refusalOf(code: string | undefined): AppError {
  // Retryable, because the request may have been complete: after a freeze of the process, Node checks the timeouts before
  // it reads the sockets.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('unavailable', { message: 'The request did not arrive in time. Send it again.' });
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('invalid_request', { message: 'The address and headers of the request are too large.' });
  return new AppError('invalid_request', { message: 'The request is not valid HTTP.' });
}
