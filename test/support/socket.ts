import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface Frame {
  op: string;
  id?: string;
  type?: string;
  offset?: string | null;
  resumed?: string;
  code?: string;
  message?: string;
  data?: Record<string, unknown>;
  [name: string]: unknown;
}

/** A connection to /v1/socket that keeps every frame. */
export interface TestSocket {
  socket: WebSocket;
  frames: Frame[];
  send(frame: object): void;
  /** Removes and returns the first frame that matches, of those received but not taken, or of later ones. */
  take(matches: Partial<Frame> | ((frame: Frame) => boolean)): Promise<Frame>;
  /** Resolves with the close code. */
  closed: Promise<number>;
  close(): void;
}

export async function openSocket(baseUrl: string, token?: string, path = '/v1/socket'): Promise<TestSocket> {
  const socket = new WebSocket(baseUrl.replace('http', 'ws') + path);
  const frames: Frame[] = [];
  let taken = 0;
  let arrived = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    frames.push(isBinary ? { op: 'binary', bytes: data } : (JSON.parse(data.toString()) as Frame));
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  const closed = new Promise<number>((resolve) => {
    socket.once('close', (code) => {
      resolve(code);
      arrived.reject(new Error(`closed with ${code}`));
      arrived.promise.catch(() => undefined);
    });
  });
  const test: TestSocket = {
    socket,
    frames,
    closed,
    send: (frame) => socket.send(JSON.stringify(frame)),
    close: () => socket.close(),
    async take(matches) {
      const isWanted =
        typeof matches === 'function'
          ? matches
          : (frame: Frame) => Object.entries(matches).every(([name, value]) => frame[name] === value);
      for (;;) {
        const next = arrived.promise;
        const index = frames.findIndex((frame, place) => place >= taken && isWanted(frame));
        if (index >= 0) {
          taken = index + 1;
          return frames[index]!;
        }
        await next;
      }
    },
  };
  await once(socket, 'open');
  if (token !== undefined) {
    test.send({ op: 'connect', token });
    const { op, code, message } = await test.take((frame) => frame.op === 'ready' || frame.op === 'error');
    if (op === 'error') {
      socket.close();
      throw new Error(`${code}: ${message}`);
    }
  }
  return test;
}

/** Subscribes and returns the frame that confirms it. */
export async function subscribe(
  socket: TestSocket,
  id: string,
  channel: string,
  after?: string | null,
): Promise<Frame> {
  socket.send({ op: 'subscribe', id, channel, ...(after === undefined ? {} : { after }) });
  return socket.take((frame) => frame.id === id && frame.op !== 'event');
}
