import type { Socket } from 'node:net';
import { lazy } from '../../core/lazy.ts';

/**
 * Connection pool for the provider. Skips an unrequested "100 Continue" response, which HTTP allows but which makes
 * undici close the connection.
 */
export const connections = lazy(async () => {
  const { Agent, buildConnector } = await import('undici');
  const connect = buildConnector({});
  return new Agent({
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error) callback(error, null);
        else callback(null, skipContinue(socket));
      }),
  });
});

// The line breaks of this response cannot occur in a JSON text or an event, so the expression never matches part of a
// body.
const unrequested = /^HTTP\/1\.1 100 [^\r\n]{0,40}\r\n\r\n/;
const maxLength = 64;

function skipContinue<AnySocket extends Socket>(socket: AnySocket): AnySocket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size?: number): Buffer | null => {
    const piece = read(size);
    const [found] = unrequested.exec(piece?.toString('latin1', 0, maxLength) ?? '') ?? [];
    if (!piece || found === undefined) return piece;
    return piece.length > found.length ? piece.subarray(found.length) : socket.read(size);
  };
  return socket;
}
