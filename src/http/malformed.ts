import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorResponse } from '../../rest/errors.ts';
import { AppError } from '../core/errors.ts';

const lingerMs = 1_000;
const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Sends an error response and closes the connection: `unavailable` when its request timed out, `invalid_request` when its
 * data is not valid HTTP or its headers are too large. A connection without a request is closed without a response.
 */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  if (error.code === requestTimeout && socket.bytesRead === 0) return closeUnused(socket);
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

/**
 * Closes a connection on which nothing was received, unless a request is waiting to be read. Browsers open connections in
 * advance: a response would be taken for that of the next request, while a closed connection makes them use another one.
 */
function closeUnused(socket: Socket): void {
  const close = (): void => void (socket.bytesRead === 0 && socket.destroy());
  // Sockets are read between the two.
  setImmediate(() => setImmediate(close));
}

function refusalOf(code: string | undefined): AppError {
  // Retryable, because the request may have been complete: after a freeze of the process, Node checks the timeouts before
  // it reads the sockets.
  if (code === requestTimeout)
    return new AppError('unavailable', { message: 'The request did not arrive in time. Send it again.' });
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('invalid_request', { message: 'The address and headers of the request are too large.' });
  return new AppError('invalid_request', { message: 'The request is not valid HTTP.' });
}
