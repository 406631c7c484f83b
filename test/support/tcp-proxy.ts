import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * `pass`: bytes go through. `hang`: connections stay and are accepted, and not a byte moves any more (half-open, or a
 * frozen server). `reset`: connections are cut, new ones at once. Bytes held by `hang` go on with `pass`.
 */
type ProxyMode = 'pass' | 'hang' | 'reset';

export interface TcpProxy {
  /** `target` with the proxy's address instead of its own. */
  url: string;
  port: number;
  mode: ProxyMode;
  /** Connections that are open. */
  connections(): number;
  stop(): Promise<void>;
}

/** Stands between the service and what `target` names, and does what networks do. */
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
        // Behind a network that lets nothing through, nobody learns of the other's end either.
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
