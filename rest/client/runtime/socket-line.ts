/** The standard WebSocket, or a class that behaves like it, such as that of the package `ws`. */
export type WebSocketConstructor = new (url: string) => object;

interface WebSocketLike {
  binaryType: string;
  send(data: string | Uint8Array): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
}

interface LineOptions<Frame> {
  WebSocket: WebSocketConstructor;
  url: string;
  /** Sent when the connection is open. */
  first: object;
  onFrame: (frame: Frame) => void;
  onSound: (sound: Uint8Array) => void;
  /** Called once when the connection has ended, with its close code: 1006 when it was lost. */
  onLost: (code: number) => void;
  idleMs: number;
}

/** One connection. */
export interface Line {
  /** Sends a frame or audio. A no-op while the connection is not open. */
  send(frame: object | Uint8Array): void;
  close(): void;
}

/** Opens a connection. It counts as lost when it receives nothing for `idleMs`, although a ping is sent halfway. */
export function openLine<Frame>({ WebSocket, url, first, onFrame, onSound, onLost, idleMs }: LineOptions<Frame>): Line {
  const socket = new WebSocket(url) as WebSocketLike;
  socket.binaryType = 'arraybuffer';
  let isOver = false;
  let isPinged = false;
  let timer = setTimeout(check, idleMs / 2);

  function check(): void {
    if (isPinged) return end(1006);
    isPinged = true;
    timer = setTimeout(check, idleMs / 2);
    send({ op: 'ping' });
  }

  function alive(): void {
    isPinged = false;
    clearTimeout(timer);
    timer = setTimeout(check, idleMs / 2);
  }

  function end(code: number): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    socket.close();
    onLost(code);
  }

  function send(frame: object | Uint8Array): void {
    try {
      socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame));
    } catch {
      // Still connecting. If it never opens, the timer ends it.
    }
  }

  socket.addEventListener('open', () => send(first));
  socket.addEventListener('message', ({ data }) => {
    if (isOver) return;
    alive();
    if (typeof data === 'string') onFrame(JSON.parse(data) as Frame);
    else onSound(new Uint8Array(data as ArrayBuffer));
  });
  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', ({ code }) => end(code));
  return { send, close: () => end(1000) };
}
