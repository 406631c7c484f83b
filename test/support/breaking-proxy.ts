import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Fate of GraphQL requests: forwarded, refused by the proxy, or with a truncated response. */
export type ProxyMode = 'pass' | 'refuse' | 'cut';

export interface BreakingProxy {
  baseUrl: string;
  setMode(mode: ProxyMode): void;
  close(): Promise<void>;
}

/** Starts an HTTP proxy in front of a service, like a load balancer, that can make GraphQL requests fail. */
export async function startBreakingProxy(target: string): Promise<BreakingProxy> {
  let mode: ProxyMode = 'pass';
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/graphql' && mode === 'refuse') {
      outgoing.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503 Service Unavailable</h1>');
      return;
    }
    relay(incoming, outgoing, incoming.url === '/graphql' && mode === 'cut');
  });

  function relay(incoming: IncomingMessage, outgoing: ServerResponse, isCut: boolean): void {
    // The service accepts session requests only from its own origin, and the proxy has another one.
    const { origin: _origin, 'accept-encoding': _encoding, ...headers } = incoming.headers;
    const sent = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!isCut) return void answer.pipe(outgoing);
      answer.once('data', (chunk: Buffer) =>
        outgoing.write(chunk.subarray(0, chunk.length / 2), () => outgoing.destroy()),
      );
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setMode: (next) => {
      mode = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
