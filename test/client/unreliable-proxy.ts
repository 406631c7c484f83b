import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The fate of a request. `lose`: it runs but its response never arrives. `cut`: the connection drops after a number of
 * deltas of a stream. `refuse`: the proxy responds itself.
 */
export type Mishap =
  | { kind: 'lose' }
  | { kind: 'cut'; afterDeltas: number }
  | { kind: 'refuse'; status: number; headers?: Record<string, string>; body?: string };

export interface SeenRequest {
  method: string;
  path: string;
  key: string | undefined;
  lastEventId: string | undefined;
}

export interface UnreliableProxy {
  baseUrl: string;
  /** Sets the fates of the next requests in order; later ones pass. */
  happen(...mishaps: Mishap[]): void;
  /** Requests since the last `happen`. */
  seen(): SeenRequest[];
  stop(): Promise<void>;
}

/** A proxy between a client and the service that fails on demand. */
export async function startUnreliableProxy(target: string): Promise<UnreliableProxy> {
  let mishaps: Mishap[] = [];
  let seen: SeenRequest[] = [];
  const server = createServer((req, res) => {
    const { method = '', url = '', headers } = req;
    const lastEventId = headers['last-event-id'];
    seen.push({
      method,
      path: url,
      key: headers['idempotency-key'] as string | undefined,
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    });
    const mishap = mishaps.shift();
    if (mishap?.kind === 'refuse') {
      req.resume();
      res.writeHead(mishap.status, mishap.headers).end(mishap.body);
      return;
    }
    forward(req, target, (answer) => {
      if (mishap?.kind === 'lose') {
        answer.resume();
        answer.once('end', () => res.destroy());
        return;
      }
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      if (mishap === undefined) answer.pipe(res);
      else cutAfter(mishap.afterDeltas, answer, res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    happen: (...next) => {
      mishaps = next;
      seen = [];
    },
    seen: () => seen,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward(req: IncomingMessage, target: string, onAnswer: (answer: IncomingMessage) => void): void {
  const { method = 'GET', headers, url = '/' } = req;
  const onward = request(new URL(url, target), { method, headers, agent: false }, onAnswer);
  onward.on('error', () => undefined);
  req.pipe(onward);
}

function cutAfter(deltas: number, answer: IncomingMessage, res: ServerResponse): void {
  let frames = '';
  answer.on('data', (chunk: Buffer) => {
    frames += chunk.toString();
    const kept = frames
      .split(/(?<=\n\n)/)
      .slice(0, deltas)
      .join('');
    if (frames.length === kept.length) return;
    answer.removeAllListeners('data').removeAllListeners('end').destroy();
    res.write(kept, () => res.destroy());
  });
  answer.on('end', () => res.end(frames));
}
