import { pause } from './wait-for-network.ts';
import { accessToken, renewSession, signedInAgain } from './session.ts';

/** A frame from the service; docs/socket.md describes them. */
export interface SocketFrame {
  op: string;
  id?: string;
  type?: string;
  code?: string;
  message?: string;
  resumed?: string;
  offset?: string | null;
  data?: Record<string, unknown>;
  reconnect_after_ms?: number;
}

interface SocketListener {
  signal: AbortSignal;
  onFrame: (frame: SocketFrame) => void;
  onSound?: (sound: Uint8Array<ArrayBuffer>) => void;
}

/** One connection to /v1/socket. */
export interface ServiceSocket {
  /** Sends a frame or audio. A no-op while the connection is not open. */
  send(frame: object | Uint8Array<ArrayBuffer>): void;
  close(): void;
  /**
   * Resolves with the close code, after renewing the token if the service rejected it, and after the pause that a
   * service asks for before it restarts.
   */
  closed: Promise<number>;
}

/** Failed attempts before the console stops using sockets, because some networks block them. */
export const maxSocketFailures = 2;
const unauthenticated = 4401;
const lost = 1006;
/** A ping is sent after two ticks of silence. A connection on which nothing has arrived at the next one is dead. */
const tickMs = 15_000;

/** Opens a connection with the session's token. */
export async function openServiceSocket({ signal, onFrame, onSound }: SocketListener): Promise<ServiceSocket> {
  const token = await accessToken().catch(() => null);
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/v1/socket`);
  socket.binaryType = 'arraybuffer';
  const send = (frame: object | Uint8Array<ArrayBuffer>): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame));
  };
  const close = (): void => socket.close();
  const ended = Promise.withResolvers<number>();
  /** Closes a connection without the other side, which may be out of reach. */
  const drop = (): void => {
    close();
    ended.resolve(lost);
  };
  let pauseMs = 0;
  let silentTicks = 0;
  const watch = setInterval(() => {
    silentTicks += 1;
    if (silentTicks === 2) send({ op: 'ping' });
    else if (silentTicks > 2) drop();
  }, tickMs);
  signal.addEventListener('abort', close, { once: true });
  // Losing the network does not close the socket by itself.
  addEventListener('offline', drop);
  if (signal.aborted) close();
  const take = (frame: SocketFrame): void => {
    if (frame.op !== 'going_away') return onFrame(frame);
    pauseMs = frame.reconnect_after_ms ?? 0;
    close();
  };
  socket.addEventListener('open', () => send({ op: 'connect', token }));
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    silentTicks = 0;
    if (typeof data === 'string') take(JSON.parse(data) as SocketFrame);
    else onSound?.(new Uint8Array(data));
  });
  socket.addEventListener('close', ({ code }) => ended.resolve(code));
  const closed = ended.promise.then(async (code) => {
    clearInterval(watch);
    signal.removeEventListener('abort', close);
    removeEventListener('offline', drop);
    if (code === unauthenticated) await renew().catch(() => undefined);
    await pause(pauseMs, signal);
    return code;
  });
  return { send, close, closed };
}

async function renew(): Promise<void> {
  if (!(await renewSession())) await signedInAgain();
}
