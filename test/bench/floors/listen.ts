import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a free loopback port and prints it in the runner's format. */
export function listen(answer: RequestListener): Server {
  const server = createServer(answer);
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
  process.once('SIGTERM', () => process.exit(0));
  return server;
}
