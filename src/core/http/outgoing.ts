import type { Socket } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { lazy } from '../lazy.ts';

/**
 * The connections of every outgoing call that uses undici: webhooks, model providers, and vendors whose SDK uses `fetch`.
 * SDKs on Node's own HTTP client, such as Stripe's, have nothing to set up: it skips informational responses by itself.
 *
 * Imported with the first call: undici takes 20 MB and adds a tenth of a second to the start.
 */
export async function openConnections({
  connector,
  ...options
}: Agent.Options & { connector?: (connect: typeof buildConnector) => buildConnector.connector } = {}): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const connect = connector?.(buildConnector) ?? buildConnector({});
  return new Agent({
    ...options,
    connect: (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error) callback(error, null);
        else callback(null, watched(socket));
      }),
  });
}

/** Connections that all vendors share. */
export const vendorConnections = lazy(() => openConnections());

/** The built-in `fetch` on the shared connections. */
export const outgoingFetch: typeof fetch = async (input, init) => {
  const { fetch: send } = await import('undici');
  const sent = send(input as never, { ...(init as object), dispatcher: await vendorConnections() });
  return (await sent) as unknown as Response;
};

/** Sockets on which a response has arrived, by their local port. */
const answered = new Map<number, Socket>();

/**
 * Returns whether a call failed because a connection that had served an earlier call was closed: the peer closed it just
 * as the call was sent, which HTTP allows at any time between two calls.
 */
export function wasReused(error: unknown): boolean {
  const { socket, localPort } = error as { socket?: { localPort?: number }; localPort?: number };
  return answered.has(socket?.localPort ?? localPort ?? 0);
}

// The line breaks of this response cannot occur in a JSON text or an event, so the expression never matches part of a
// body.
const unrequested = /^HTTP\/1\.1 100 [^\r\n]{0,40}\r\n\r\n/;
const maxLength = 64;

/**
 * Skips an unrequested "100 Continue" response, which HTTP allows but which makes undici close the connection, and
 * remembers whether a response has arrived.
 */
function watched<AnySocket extends Socket>(socket: AnySocket): AnySocket {
  const port = socket.localPort ?? 0;
  socket.once('error', (error) => Object.assign(error, { localPort: port }));
  // After the failure of the call has been reported.
  const forget = () => void (answered.get(port) === socket && answered.delete(port));
  socket.once('close', () => setImmediate(forget));
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size?: number): Buffer | null => {
    const piece = read(size);
    if (!piece) return piece;
    const [found] = unrequested.exec(piece.toString('latin1', 0, maxLength)) ?? [];
    if (found === undefined) {
      answered.set(port, socket);
      return piece;
    }
    return piece.length > found.length ? piece.subarray(found.length) : socket.read(size);
  };
  return socket;
}
