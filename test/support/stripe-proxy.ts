import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `lose`: Stripe executes the call, but its response is lost. `hang`: like `lose`, but the connection stays open. */
export type Mishap = 'pass' | 'lose' | 'hang' | 'refuse' | 'busy';

export interface StripeProxy {
  apiBase: string;
  /** Decides what happens to each call; all pass until it is set. */
  decide: (method: string, path: string) => Mishap;
  /** Idempotency keys of the POSTs to a path, in order. */
  keysOf(path: string): string[];
  stop(): Promise<void>;
}

/** A proxy in front of Stripe that behaves like a bad network or an overloaded API. */
export async function startStripeProxy(target: string): Promise<StripeProxy> {
  const calls: { path: string; key: string }[] = [];
  const server = createServer((req, res) => {
    const { method = 'GET', url = '/' } = req;
    calls.push({ path: url, key: String(req.headers['idempotency-key'] ?? '') });
    const mishap = proxy.decide(method, url);
    if (mishap === 'refuse' || mishap === 'busy') {
      req.resume();
      res.writeHead(mishap === 'busy' ? 409 : 503, { 'content-type': 'application/json' });
      return res.end(JSON.stringify({ error: { type: 'api_error', message: 'not now' } }));
    }
    forward(req, target, (answer) => {
      if (mishap === 'pass') {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
        return;
      }
      answer.resume();
      if (mishap === 'lose') res.destroy();
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: StripeProxy = {
    apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    decide: () => 'pass',
    keysOf: (path) => calls.filter((call) => call.path === path && call.key !== '').map(({ key }) => key),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}

function forward(req: IncomingMessage, target: string, onAnswer: (answer: IncomingMessage) => void): void {
  const { method = 'GET', headers, url = '/' } = req;
  const onward = request(new URL(url, target), { method, headers, agent: false }, onAnswer);
  onward.on('error', () => undefined);
  req.pipe(onward);
}
