import { createHash, createHmac } from 'node:crypto';
import type { Findings } from './findings.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { answer, type Received, startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Webhook endpoints, one for each path, that verify and record deliveries and fail from time to time. */
export interface Receiver {
  /** The proxy in front of it. */
  proxy: TcpProxy;
  url(path: string): string;
  /** Adds a secret that may sign deliveries to the path, beside the earlier ones. */
  trust(path: string, secret: string): void;
  /** Event ids that arrived at a path. */
  arrived(path: string): ReadonlySet<string>;
  /** Integrations whose integration.connected has arrived. */
  readonly connected: ReadonlySet<string>;
  /** All event ids that arrived anywhere. */
  readonly events: ReadonlySet<string>;
  readonly posts: number;
  readonly repeated: number;
  /** Verifies again the deliveries that no known secret had signed on arrival. */
  verifyRest(): void;
  close(): Promise<void>;
}

/** One in this many first deliveries of an event is refused. */
const refusedEvery = 50;

export async function startReceiver(findings: Findings): Promise<Receiver> {
  const server = await startWebhookReceiver();
  const proxy = await startTcpProxy(server.url);
  const secrets = new Map<string, Set<string>>();
  const seen = new Map<string, Map<string, string>>();
  const events = new Set<string>();
  const connected = new Set<string>();
  const doubtful: Received[] = [];
  let posts = 0;
  let repeated = 0;

  const isSigned = ({ path, body, headers }: Received): boolean =>
    [...(secrets.get(path) ?? [])].some(
      (secret) => createHmac('sha256', secret).update(body).digest('hex') === headers['x-agent-signature'],
    );

  server.behave((response, received, socket) => {
    posts += 1;
    const { path, body, event } = received;
    const bytes = createHash('sha256').update(body).digest('base64');
    const known = seen.get(path) ?? new Map<string, string>();
    seen.set(path, known);
    const before = known.get(event.id);
    known.set(event.id, bytes);
    events.add(event.id);
    if (event.type === 'integration.connected') connected.add(event.data.id);
    if (before !== undefined) repeated += 1;
    if (before !== undefined && before !== bytes)
      findings.add('an event that changed between two deliveries', event.id);
    if (!isSigned(received)) doubtful.push(received);
    // Recorded above.
    server.received.length = 0;
    answer(before === undefined && posts % refusedEvery === 0 ? 500 : 200)(response, received, socket);
  });

  return {
    proxy,
    url: (path) => `${new URL(proxy.url).origin}${path}`,
    trust: (path, secret) => void secrets.set(path, (secrets.get(path) ?? new Set()).add(secret)),
    arrived: (path) => new Set(seen.get(path)?.keys()),
    events,
    connected,
    get posts() {
      return posts;
    },
    get repeated() {
      return repeated;
    },
    verifyRest() {
      for (const one of doubtful.splice(0))
        if (!isSigned(one)) findings.add('a delivery with an invalid signature', `${one.path} ${one.event.id}`);
    },
    close: async () => {
      await server.close();
      await proxy.stop();
    },
  };
}
