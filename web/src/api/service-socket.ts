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
  /** Resolves with the close code, after renewing the token if the service rejected it. */
  closed: Promise<number>;
}

/** Failed attempts before the console stops using sockets, because some networks block them. */
export const maxSocketFailures = 2;
const unauthenticated = 4401;

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
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  socket.addEventListener('open', () => send({ op: 'connect', token }));
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') onFrame(JSON.parse(data) as SocketFrame);
    else onSound?.(new Uint8Array(data));
  });
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => {
      signal.removeEventListener('abort', close);
      const renewed = code === unauthenticated ? renewSession() : Promise.resolve(true);
      void renewed
        .then((isRenewed) => (isRenewed ? undefined : signedInAgain()))
        .catch(() => undefined)
        .then(() => resolve(code));
    });
  });
  return { send, close, closed };
}
