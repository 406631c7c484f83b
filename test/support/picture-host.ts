import { createServer } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trustedAuthority } from './webhook-receiver.ts';

/** An https server that responds to every GET as configured. */
export interface PictureHost {
  /** `https://127.0.0.1:PORT`, or with another name. */
  url: string;
  port: number;
  /** Headers of each request. */
  received: IncomingHttpHeaders[];
  connections(): number;
  respond(status: number, body: Uint8Array | string, headers?: Record<string, string>): void;
  /** Accepts requests whose path starts with this and never answers them. */
  hangAt(path: string): void;
  close(): Promise<void>;
}

/** `name` is the host name in `url`: `127.0.0.1` or `localhost`. */
export async function startPictureHost(name = '127.0.0.1'): Promise<PictureHost> {
  const { cert, key } = await trustedAuthority();
  const received: IncomingHttpHeaders[] = [];
  let connections = 0;
  let hanging = '';
  let reply = { status: 404, body: '' as Uint8Array | string, headers: {} };
  const server = createServer({ cert, key }, (request, response) => {
    received.push(request.headers);
    response.on('error', () => undefined);
    if (hanging !== '' && request.url?.startsWith(hanging)) return;
    response.writeHead(reply.status, { 'content-type': 'image/png', ...reply.headers }).end(reply.body);
  });
  server.on('connection', () => connections++);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${name}:${port}`,
    port,
    received,
    connections: () => connections,
    respond: (status, body, headers = {}) => {
      reply = { status, body, headers };
    },
    hangAt: (path) => {
      hanging = path;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
