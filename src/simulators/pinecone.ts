import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface SimulatorOptions {
  dimensions: number;
  /** Maximum delay after which a write becomes visible. The delay of each write is random. */
  delayMs?: number;
}

export interface PineconeSimulator {
  /** URL of the server, for `PINECONE_CONTROLLER_HOST`. */
  url: string;
  /** Fault of all further requests; null for none. */
  fault: { status: number } | { hang: true } | { slowMs: number } | null;
  /** Number of vectors that a query can currently find. */
  size(): number;
  stop(): Promise<void>;
}

interface StoredVector {
  id: string;
  values: number[];
  metadata: Record<string, string>;
}
type Filter = Record<string, { $eq?: string; $in?: string[] }>;
type Namespace = Map<string, StoredVector>;

/**
 * Starts a loopback server that speaks the part of Pinecone's protocol that the service uses. Like Pinecone it is
 * eventually consistent: writes and deletions become visible late and out of order.
 */
export async function startPineconeSimulator({
  dimensions,
  delayMs = 150,
}: SimulatorOptions): Promise<PineconeSimulator> {
  const namespaces = new Map<string, Namespace>();
  const timers = new Set<NodeJS.Timeout>();
  const inNamespace = (name: string): Namespace => {
    const found = namespaces.get(name) ?? new Map<string, StoredVector>();
    namespaces.set(name, found);
    return found;
  };
  // Of two writes of the same id the later one wins, whichever becomes visible first.
  const shown = new Map<string, number>();
  let written = 0;
  const later = (key: string, apply: () => void): void => {
    const own = ++written;
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (own < (shown.get(key) ?? 0)) return;
      shown.set(key, own);
      apply();
    }, Math.random() * delayMs);
    timers.add(timer);
  };

  const routes: Record<string, (body: Body, query: URLSearchParams) => unknown> = {
    'POST /vectors/upsert': ({ namespace = '', vectors = [] }) => {
      for (const vector of vectors) {
        if (vector.values.length !== dimensions) throw new HttpStatus(400);
        later(`${namespace} ${vector.id}`, () => inNamespace(namespace).set(vector.id, vector));
      }
      return { upsertedCount: vectors.length };
    },
    'POST /vectors/delete': ({ namespace = '', ids = [] }) => {
      for (const id of ids) later(`${namespace} ${id}`, () => inNamespace(namespace).delete(id));
      return {};
    },
    'POST /query': ({ namespace = '', vector = [], topK = 10, filter = {}, includeMetadata, includeValues }) => ({
      namespace,
      matches: [...inNamespace(namespace).values()]
        .filter(({ metadata }) => fits(metadata, filter))
        .map(({ id, values, metadata }) => ({
          id,
          score: cosine(vector, values),
          ...(includeMetadata ? { metadata } : {}),
          ...(includeValues ? { values } : {}),
        }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, topK),
    }),
    'GET /vectors/list': (_body, query) => {
      const prefix = query.get('prefix') ?? '';
      const from = query.get('paginationToken') ?? '';
      const limit = Number(query.get('limit') ?? 100);
      const ids = [...inNamespace(query.get('namespace') ?? '').keys()].toSorted();
      const page = ids.filter((id) => id.startsWith(prefix) && id > from).slice(0, limit);
      const next = page.length === limit ? page.at(-1) : undefined;
      return { vectors: page.map((id) => ({ id })), ...(next ? { pagination: { next } } : {}) };
    },
    'GET /namespaces': () => ({
      namespaces: [...namespaces]
        .filter(([, vectors]) => vectors.size > 0)
        .map(([name, { size }]) => ({ name, record_count: size })),
    }),
  };

  const simulator: Pick<PineconeSimulator, 'fault'> = { fault: null };
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
    const body = await readBody(req);
    const { fault } = simulator;
    if (fault && 'hang' in fault) return;
    if (fault && 'slowMs' in fault) await sleep(fault.slowMs);
    if (fault && 'status' in fault) throw new HttpStatus(fault.status);
    const index = /^\/indexes\/([a-z0-9-]+)$/.exec(pathname)?.[1];
    if (index) return send(res, 200, describe(index, url(), dimensions));
    const route = routes[`${req.method} ${pathname}`];
    if (!route) throw new HttpStatus(404);
    send(res, 200, route(body, searchParams));
  };
  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      const status = error instanceof HttpStatus ? error.status : 500;
      send(res, status, { error: { code: 'UNKNOWN', message: 'The simulator refuses.' }, status });
    });
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));

  return Object.assign(simulator, {
    url: url(),
    size: () => [...namespaces.values()].reduce((sum, { size }) => sum + size, 0),
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  });
}

interface Body {
  namespace?: string;
  vectors?: StoredVector[];
  ids?: string[];
  vector?: number[];
  topK?: number;
  filter?: Filter;
  includeMetadata?: boolean;
  includeValues?: boolean;
}

class HttpStatus extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

async function readBody(req: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return parts.length > 0 ? (JSON.parse(Buffer.concat(parts).toString()) as Body) : {};
}

const describe = (name: string, host: string, dimension: number) => ({
  id: name,
  name,
  metric: 'cosine',
  dimension,
  host,
  vector_type: 'dense',
  deletion_protection: 'disabled',
  spec: { serverless: { cloud: 'aws', region: 'us-east-1' } },
  status: { ready: true, state: 'Ready' },
});

const fits = (metadata: Record<string, string>, filter: Filter): boolean =>
  Object.entries(filter).every(
    ([key, { $eq, $in }]) =>
      ($eq === undefined || metadata[key] === $eq) && ($in === undefined || $in.includes(metadata[key] ?? '')),
  );

function cosine(a: readonly number[], b: readonly number[]): number {
  let [product, lengthA, lengthB] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    const y = b[i] ?? 0;
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return product / (Math.sqrt(lengthA * lengthB) || 1);
}

function send(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
