import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import type { VectorStore } from '../../src/knowledge/retrieval/vector-store.ports.ts';
import { dotProduct, normalised } from '../../src/core/vectors.ts';
import { eventually } from '../support/eventually.ts';

export interface VectorStoreUnderTest {
  store: VectorStore;
  /** Creates a ready document, where the store checks that. */
  addDocument(agentId: string, documentId: string, space: string): Promise<void>;
  removeDocument(documentId: string): Promise<void>;
  addAgent(): Promise<string>;
  close(): Promise<void>;
}

export const dimensions = 64;
const space = `test:${dimensions}`;
/** Of a cosine: a store may keep a byte a dimension, which shows most in short vectors. */
const tolerance = 0.003;

/** Deterministic numbers. */
function randomVectors(count: number, seed = 1): Float32Array[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => normalised(Float32Array.from({ length: dimensions }, next)));
}

/** The contract of every vector store. */
export function vectorStoreSuite(name: string, open: () => Promise<VectorStoreUnderTest>): void {
  describe(`vectors in ${name}`, () => {
    let under: VectorStoreUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    const addDocument = async (agentId: string, vectors: readonly Float32Array[], inSpace = space) => {
      const documentId = newId('doc_');
      const place = { agentId, documentId, space: inSpace };
      const chunks = vectors.map((vector, position) => ({ chunkId: `chk_${randomUUID()}`, position, vector }));
      await under.addDocument(agentId, documentId, inSpace);
      await under.store.upsert(place, chunks);
      await under.store.settle(place, chunks.length, AbortSignal.timeout(10_000));
      return { documentId, chunks, place };
    };

    test('finds the nearest vectors, none more than 0.003 short of them, once it has settled', async () => {
      const agentId = await under.addAgent();
      const vectors = randomVectors(300);
      const { chunks } = await addDocument(agentId, vectors);
      for (const vector of randomVectors(20, 99)) {
        const { found } = await under.store.query({ agentId, space, vectors: [vector] }, 10);
        found.sort((a, b) => b.similarity - a.similarity);
        const truth = new Map(chunks.map(({ chunkId, vector: other }) => [chunkId, dotProduct(vector, other)]));
        const best = [...truth.values()].toSorted((a, b) => b - a);
        expect(new Set(found.map(({ chunkId }) => chunkId)).size).toBe(10);
        for (const [i, { chunkId, similarity }] of found.entries()) {
          expect(Math.abs(similarity - truth.get(chunkId)!)).toBeLessThan(tolerance);
          expect(truth.get(chunkId)!).toBeGreaterThan(best[i]! - tolerance);
        }
      }
    });

    test('never returns vectors of another agent or space', async () => {
      const [mine, theirs] = [await under.addAgent(), await under.addAgent()];
      const [vector] = randomVectors(1, 7) as [Float32Array];
      const own = await addDocument(mine, randomVectors(3, 5));
      const foreign = await addDocument(theirs, [vector]);
      await addDocument(mine, [vector], `other:${dimensions}`);
      const others = Promise.resolve(foreign.chunks.map(({ chunkId }) => chunkId));
      const near = await under.store.query({ agentId: mine, space, vectors: [vector] }, 10, { others });
      const { found } = near;
      expect(new Set(found.map(({ chunkId }) => chunkId))).toEqual(new Set(own.chunks.map(({ chunkId }) => chunkId)));
      expect(near.others).toEqual([]);
    });

    test('returns similarities of given chunks', async () => {
      const agentId = await under.addAgent();
      const vectors = randomVectors(5, 11);
      const { chunks } = await addDocument(agentId, vectors);
      const ids = [chunks[1]!.chunkId, chunks[4]!.chunkId];
      const asked = { agentId, space, vectors: Promise.resolve([vectors[0]!]) };
      const near = await under.store.query(asked, 1, { others: Promise.resolve([chunks[0]!.chunkId, ...ids]) });
      expect(near.found.map(({ chunkId }) => chunkId)).toEqual([chunks[0]!.chunkId]);
      const others = new Map(near.others.map((other) => [other.chunkId, other]));
      expect([...others.keys()].toSorted()).toEqual(ids.toSorted());
      const truth = dotProduct(vectors[0]!, vectors[1]!);
      expect(Math.abs(others.get(ids[0]!)!.similarity - truth)).toBeLessThan(tolerance);
    });

    test('measures the forms of a question together', async () => {
      const agentId = await under.addAgent();
      const vectors = randomVectors(40, 51);
      const { chunks } = await addDocument(agentId, vectors);
      const [one, other] = [chunks[3]!, chunks[17]!];
      const near = await under.store.query({ agentId, space, vectors: [one.vector, other.vector] }, 1);
      const found = new Map(near.found.map((neighbour) => [neighbour.chunkId, neighbour]));
      expect(found.size).toBe(2);
      const truth = dotProduct(one.vector, other.vector);
      expect(Math.abs(found.get(one.chunkId)!.similarity - 1)).toBeLessThan(tolerance);
      expect(Math.abs(found.get(other.chunkId)!.similarity - truth)).toBeLessThan(tolerance);
      expect(found.get(one.chunkId)!.nearness).toBeGreaterThan(near.average + 1);
      expect(found.get(other.chunkId)!.nearness).toBeGreaterThan(near.average + 1);
    });

    test('replaces vectors on a second write', async () => {
      const agentId = await under.addAgent();
      const { chunks, place } = await addDocument(agentId, randomVectors(4, 21));
      await under.store.upsert(place, chunks);
      await under.store.settle(place, chunks.length, AbortSignal.timeout(10_000));
      const { found } = await under.store.query({ agentId, space, vectors: [chunks[0]!.vector] }, 20);
      expect(found).toHaveLength(4);
    });

    test('removes a deleted document, also one written a moment ago', async () => {
      const agentId = await under.addAgent();
      const kept = await addDocument(agentId, randomVectors(3, 31));
      const documentId = newId('doc_');
      await under.addDocument(agentId, documentId, space);
      const vectors = randomVectors(120, 41).map((vector, position) => ({
        chunkId: `chk_${randomUUID()}`,
        position,
        vector,
      }));
      await under.store.upsert({ agentId, documentId, space }, vectors);
      await under.removeDocument(documentId);
      await under.store.deleteDocument({ agentId, documentId }, { count: 120 });
      await eventually(async () => {
        const { found } = await under.store.query({ agentId, space, vectors: [vectors[0]!.vector] }, 50);
        return (
          found.length === 3 && found.every(({ chunkId }) => kept.chunks.some((chunk) => chunk.chunkId === chunkId))
        );
      });
      // A write may be visible for a moment before its deletion is.
      await eventually(async () => {
        const listed: string[] = [];
        for await (const document of under.store.documents()) listed.push(document.documentId);
        return listed.includes(kept.documentId) && !listed.includes(documentId);
      });
    });
  });
}
