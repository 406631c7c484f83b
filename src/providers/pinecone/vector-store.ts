import { setTimeout as sleep } from 'node:timers/promises';
import type { Index } from '@pinecone-database/pinecone';
import { lazy } from '../../core/lazy.ts';
import { AppError } from '../../core/errors.ts';
import { outgoingFetch } from '../../core/http/outgoing.ts';
import { waitUntil } from '../../core/waiting/wait-until.ts';
import type { VectorSpread } from '../../core/vector-spread.ts';
import { dotProduct, normalised } from '../../core/vectors.ts';
import type {
  PendingVectorQuery,
  ConcurrentWork,
  Neighbour,
  Neighbours,
  DocumentVectors,
  VectorQuery,
  VectorStore,
} from '../../knowledge/retrieval/vector-store.ports.ts';
import { createBreaker } from './breaker.ts';
import { createSpreadCache } from './spread-cache.ts';

export interface PineconeOptions {
  apiKey: string;
  /** Name of a serverless index with cosine metric and the dimensions of the embeddings, which the operator creates. */
  index: string;
  controllerHost: string | null;
  /** Timeout of an interactive query, after which the query falls back to full text. */
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
const deletionTimeoutMs = 20_000;

/**
 * Stores vectors in one Pinecone index: a namespace for each agent and an id `<document>#<position>` for each chunk, so
 * that the ids of a document are known without listing. Pinecone is eventually consistent: see `settle`.
 */
export function createPineconeVectors(options: PineconeOptions): VectorStore {
  const writing = connect(options, writeTimeoutMs);
  const asking = connect(options, options.queryTimeoutMs ?? defaultQueryTimeoutMs);
  const breaker = createBreaker();
  const agent = async (agentId: string): Promise<Index<Metadata>> => (await writing()).namespace(agentId);

  const ask = (
    { agentId, space }: VectorQuery,
    vector: Float32Array,
    topK: number,
    filter: object,
  ): Promise<Map<string, number>> =>
    breaker(async () => {
      const { matches } = await (await asking()).namespace(agentId).query({
        vector: [...vector],
        topK: Math.min(topK, maxTopK),
        includeMetadata: true,
        filter: { space: { $eq: space }, ...filter },
      });
      return new Map(matches.map(({ id, score = 0, metadata }) => [metadata?.chunk ?? id, score]));
    });

  const spreads = createSpreadCache(async ({ agentId, space }, vector, topK) => {
    const { matches } = await (
      await asking()
    )
      .namespace(agentId)
      .query({ vector: [...vector], topK, includeValues: true, filter: { space: { $eq: space } } });
    return matches.map(({ values = [] }) => normalised(Float32Array.from(values)));
  });

  /** Computes the cosines of each chunk with each form of the question. */
  const measured = async (query: VectorQuery, chunkIds: readonly string[], spread: VectorSpread) => {
    const byForm = await Promise.all(
      query.vectors.map((vector) => ask(query, vector, chunkIds.length, { chunk: { $in: [...chunkIds] } })),
    );
    const found = new Map<string, Neighbour>();
    for (const chunkId of chunkIds) {
      const cosines = byForm.flatMap((form) => form.get(chunkId) ?? []);
      if (cosines.length < byForm.length) continue;
      const nearness = meanOf(cosines.map((cosine) => spread.nearness(cosine, null)));
      found.set(chunkId, { chunkId, similarity: cosines[0] ?? 0, nearness });
    }
    return found;
  };

  const nearest = async (
    { vectors, ...rest }: PendingVectorQuery,
    limit: number,
    { others, onNearest }: ConcurrentWork = {},
  ): Promise<Neighbours> => {
    const query = { ...rest, vectors: await vectors };
    const byForm = await Promise.all(query.vectors.map((vector) => ask(query, vector, limit, {})));
    const spread = await spreads.of(query);
    const ids = [...new Set(byForm.flatMap((form) => [...form.keys()]))];
    for (const form of byForm) onNearest?.([...form.keys()]);
    // With a single form, every cosine is known already.
    const found =
      byForm.length > 1
        ? await measured(query, ids, spread)
        : new Map(
            [...(byForm[0] ?? [])].map(([chunkId, similarity]) => [
              chunkId,
              { chunkId, similarity, nearness: spread.nearness(similarity, null) },
            ]),
          );
    const missing = ((await others) ?? []).filter((chunkId) => !found.has(chunkId));
    // If this fails, the other chunks are scored by their words.
    const measuring = missing.length > 0 ? measured(query, missing, spread).catch(() => null) : null;
    return {
      found: [...found.values()].toSorted((one, other) => other.nearness - one.nearness),
      average: meanOf(query.vectors.map((vector) => spread.nearness(dotProduct(vector, spread.centre), null))),
      others: [...((await measuring)?.values() ?? [])],
    };
  };

  const countFound = async ({ agentId, documentId, space }: DocumentVectors, count: number, dimensions: number) => {
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
    settle: async (target, count, signal) => {
      const dimensions = Number(target.space.split(':').at(-1));
      const expected = Math.min(count, maxTopK);
      while ((await countFound(target, expected, dimensions)) < expected) {
        await sleep(pollMs, undefined, { signal });
      }
    },
    query: nearest,
    deleteDocument: async ({ agentId, documentId }, { count, exceptSpace }) => {
      // Ids are the same in every space, so vectors of other spaces have been overwritten.
      if (exceptSpace) return;
      const index = await agent(agentId);
      const known = Array.from({ length: count }, (_, position) => `${documentId}#${position}`);
      for (let i = 0; i < known.length; i += maxDelete) await index.deleteMany({ ids: known.slice(i, i + maxDelete) });
      const isGone = async (): Promise<boolean> => {
        const left = await idsOf(index, `${documentId}#`);
        if (left.length > 0) await index.deleteMany({ ids: left });
        return left.length === 0;
      };
      const gone = await waitUntil(isGone, { timeoutMs: deletionTimeoutMs, everyMs: pollMs });
      if (!gone) throw new AppError('upstream_timeout');
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

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Creates the client with this timeout at the first call, because the SDK is slow to load. */
function connect(
  { apiKey, index, controllerHost }: PineconeOptions,
  timeoutMs: number,
): () => Promise<Index<Metadata>> {
  return lazy(async () => {
    const { Pinecone } = await import('@pinecone-database/pinecone');
    const fetchApi: typeof fetch = (input, init) =>
      outgoingFetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const client = new Pinecone({
      apiKey,
      fetchApi,
      maxRetries: 1,
      ...(controllerHost ? { controllerHostUrl: controllerHost } : {}),
    });
    return client.index<Metadata>({ name: index });
  });
}

/** Returns one page of ids, to check whether any remain. */
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
