import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPineconeVectors } from '../../src/providers/pinecone/vector-store.ts';
import { startPineconeStandIn } from '../../src/standins/pinecone.ts';
import { dimensions, vectorStoreSuite } from './vector-store.suite.ts';

const open = async (queryTimeoutMs = 5_000) => {
  const standIn = await startPineconeStandIn({ dimensions, delayMs: 300 });
  // The SDK remembers hosts by key and index in the whole process.
  const store = createPineconeVectors({
    apiKey: randomUUID(),
    index: 'test',
    controllerHost: standIn.url,
    queryTimeoutMs,
  });
  return { standIn, store };
};

vectorStoreSuite('Pinecone', async () => {
  const { standIn, store } = await open();
  return {
    store,
    addAgent: async () => randomUUID(),
    addDocument: async () => undefined,
    removeDocument: async () => undefined,
    close: () => standIn.stop(),
  };
});

test('a question is not kept waiting by a Pinecone that hangs, and after three times not at all', async () => {
  const { standIn, store } = await open(200);
  const query = { agentId: 'a', space: 's:64', vector: new Float32Array(dimensions).fill(0.125) };
  await store.query(query, 5);
  standIn.fault = { hang: true };
  const waits: number[] = [];
  for (let i = 0; i < 4; i++) {
    const from = performance.now();
    await expect(store.query(query, 5)).rejects.toThrow();
    waits.push(performance.now() - from);
  }
  expect(Math.max(...waits)).toBeLessThan(1_500);
  expect(waits[3]).toBeLessThan(Math.min(...waits.slice(0, 3)) / 2);
  await standIn.stop();
});
