import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * `pass`: forwards bytes, including those that `hang` held. `hang`: accepts and keeps connections, but forwards nothing
 * (half-open, or a frozen server). `reset`: resets existing connections, and new ones immediately.
 */
type ProxyMode = 'pass' | 'hang' | 'reset';

export interface TcpProxy {
  /** `target` with the proxy's address instead of its own. */
  url: string;
  port: number;
  mode: ProxyMode;
  /** Number of open connections. */
  connections(): number;
  stop(): Promise<void>;
}

/** A proxy in front of `target` that simulates network faults. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const pairs = new Set<[Socket, Socket]>();
  let mode: ProxyMode = 'pass';

  const apply = ([near, far]: [Socket, Socket]): void => {
    for (const socket of [near, far]) {
      if (mode === 'reset') socket.resetAndDestroy();
      else if (mode === 'hang') socket.pause();
      else socket.resume();
    }
  };
  const server = createServer((near) => {
    const far = connect(Number(targetPort), hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (mode === 'pass') from.resume();
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        // A hanging network does not forward the end of a connection either.
        if (mode === 'hang') setTimeout(() => to.destroy(), 30_000).unref();
        else to.destroy();
      });
    }
    apply(pair);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    port,
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
      for (const pair of pairs) apply(pair);
    },
    connections: () => pairs.size,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await closed;
    },
  };
}
