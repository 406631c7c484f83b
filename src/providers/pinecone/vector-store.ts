import { setTimeout as sleep } from 'node:timers/promises';
import type { Index } from '@pinecone-database/pinecone';
import { atFirstUse } from '../../core/first-use.ts';
import { AppError } from '../../core/errors.ts';
import type { VectorPlace, VectorQuery, VectorStore } from '../../knowledge/vector-store.ports.ts';
import { createBreaker } from './breaker.ts';

export interface PineconeOptions {
  apiKey: string;
  /** Serverless, metric cosine, of the embeddings' dimensions; made by the operator. */
  index: string;
  controllerHost: string | null;
  /** Somebody waits for the answer: after this, text alone has to do. */
  queryTimeoutMs?: number;
}

type Metadata = { chunk: string; document: string; space: string };

const writeTimeoutMs = 20_000;
const defaultQueryTimeoutMs = 300;
/** @see https://docs.pinecone.io/reference/api/database-limits */
const maxUpsert = 100;
const maxDelete = 1_000;
const maxTopK = 10_000;
const pollMs = 250;
const goneWithinMs = 20_000;

/**
 * Vectors in one Pinecone index: a namespace for each agent, an id `<document>#<position>` for each chunk, so that what
 * belongs to a document is known without asking. Pinecone shows writes after a while: see `settle`.
 */
export function createPineconeVectors(options: PineconeOptions): VectorStore {
  const writing = connect(options, writeTimeoutMs);
  const asking = connect(options, options.queryTimeoutMs ?? defaultQueryTimeoutMs);
  const breaker = createBreaker();
  const agent = async (agentId: string): Promise<Index<Metadata>> => (await writing()).namespace(agentId);

  const ask = (query: VectorQuery, topK: number, filter: object): Promise<{ chunkId: string; similarity: number }[]> =>
    breaker(async () => {
      const { matches } = await (await asking()).namespace(query.agentId).query({
        vector: [...query.vector],
        topK: Math.min(topK, maxTopK),
        includeMetadata: true,
        filter: { space: { $eq: query.space }, ...filter },
      });
      return matches.map(({ id, score = 0, metadata }) => ({ chunkId: metadata?.chunk ?? id, similarity: score }));
    });

  const countFound = async ({ agentId, documentId, space }: VectorPlace, count: number, dimensions: number) => {
    const { matches } = await (
      await agent(agentId)
    ).query({
      vector: Array.from({ length: dimensions }, (_, i) => (i === 0 ? 1 : 0)),
      topK: Math.min(count, maxTopK),
      filter: { document: { $eq: documentId }, space: { $eq: space } },
    });
    return matches.length;
  };

  return {
    upsert: async ({ agentId, documentId, space }, vectors) => {
      const index = await agent(agentId);
      const records = vectors.map(({ chunkId, position, vector }) => ({
        id: `${documentId}#${position}`,
        values: [...vector],
        metadata: { chunk: chunkId, document: documentId, space },
      }));
      for (let i = 0; i < records.length; i += maxUpsert)
        await index.upsert({ records: records.slice(i, i + maxUpsert) });
    },
    settle: async (place, count, signal) => {
      const dimensions = Number(place.space.split(':').at(-1));
      const expected = Math.min(count, maxTopK);
      while ((await countFound(place, expected, dimensions)) < expected) {
        await sleep(pollMs, undefined, { signal });
      }
    },
    query: (query, limit) => ask(query, limit, {}),
    similarities: async (query, chunkIds) => {
      const found = await ask(query, chunkIds.length, { chunk: { $in: [...chunkIds] } });
      return new Map(found.map(({ chunkId, similarity }) => [chunkId, similarity]));
    },
    deleteDocument: async ({ agentId, documentId }, { count, exceptSpace }) => {
      // Ids are the same in every space, so vectors of another one have been replaced.
      if (exceptSpace) return;
      const index = await agent(agentId);
      const known = Array.from({ length: count }, (_, position) => `${documentId}#${position}`);
      for (let i = 0; i < known.length; i += maxDelete) await index.deleteMany({ ids: known.slice(i, i + maxDelete) });
      const deadline = performance.now() + goneWithinMs;
      for (;;) {
        const left = await idsOf(index, `${documentId}#`);
        if (left.length === 0) return;
        if (performance.now() > deadline) throw new AppError('upstream_timeout');
        await index.deleteMany({ ids: left });
        await sleep(pollMs);
      }
    },
    documents: async function* () {
      const index = await writing();
      for await (const agentId of namespacesOf(index)) {
        const seen = new Set<string>();
        for await (const id of listed(index.namespace(agentId), '')) {
          const documentId = id.slice(0, id.lastIndexOf('#'));
          if (seen.has(documentId)) continue;
          seen.add(documentId);
          yield { agentId, documentId };
        }
      }
    },
  };
}

/** The client for calls that may take so long, made at the first one: the SDK takes a while to load. */
function connect(
  { apiKey, index, controllerHost }: PineconeOptions,
  timeoutMs: number,
): () => Promise<Index<Metadata>> {
  return atFirstUse(async () => {
    const { Pinecone } = await import('@pinecone-database/pinecone');
    const fetchApi: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const client = new Pinecone({
      apiKey,
      fetchApi,
      maxRetries: 1,
      ...(controllerHost ? { controllerHostUrl: controllerHost } : {}),
    });
    return client.index<Metadata>({ name: index });
  });
}

/** One page of ids: enough to see whether any are left. */
async function idsOf(index: Index<Metadata>, prefix: string): Promise<string[]> {
  const { vectors = [] } = await index.listPaginated({ prefix, limit: 100 });
  return vectors.flatMap(({ id }) => id ?? []);
}

async function* listed(index: Index<Metadata>, prefix: string): AsyncGenerator<string> {
  for (let paginationToken: string | undefined; ;) {
    const page = await index.listPaginated({ prefix, limit: 100, ...(paginationToken ? { paginationToken } : {}) });
    for (const { id } of page.vectors ?? []) if (id) yield id;
    paginationToken = page.pagination?.next;
    if (!paginationToken) return;
  }
}

async function* namespacesOf(index: Index<Metadata>): AsyncGenerator<string> {
  for (let paginationToken: string | undefined; ;) {
    const page = await index.listNamespaces({ limit: 100, ...(paginationToken ? { paginationToken } : {}) });
    for (const { name } of page.namespaces ?? []) if (name && name !== '__default__') yield name;
    paginationToken = page.pagination?.next;
    if (!paginationToken) return;
  }
}
