import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPineconeVectors } from '../../src/providers/pinecone/vector-store.ts';
import { startPineconeSimulator } from '../../src/simulators/pinecone.ts';
import { dimensions, vectorStoreSuite } from './vector-store.suite.ts';
import { limitsTime } from '../support/wall-clock.ts';

const open = async (queryTimeoutMs = 5_000) => {
  const simulator = await startPineconeSimulator({ dimensions, delayMs: 300 });
  // The SDK caches hosts by key and index for the whole process.
  const store = createPineconeVectors({
    apiKey: randomUUID(),
    index: 'test',
    controllerHost: simulator.url,
    queryTimeoutMs,
  });
  return { simulator, store };
};

vectorStoreSuite('Pinecone', async () => {
  const { simulator, store } = await open();
  return {
    store,
    addAgent: async () => randomUUID(),
    addDocument: async () => undefined,
    removeDocument: async () => undefined,
    close: () => simulator.stop(),
  };
});

test(
  'a query does not wait for a Pinecone that hangs, and after three timeouts fails at once',
  limitsTime,
  async () => {
    const { simulator, store } = await open(200);
    const query = { agentId: 'a', space: 's:64', vectors: [new Float32Array(dimensions).fill(0.125)] };
    await store.query(query, 5);
    simulator.fault = { hang: true };
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      const from = performance.now();
      await expect(store.query(query, 5)).rejects.toThrow();
      waits.push(performance.now() - from);
    }
    expect(Math.max(...waits)).toBeLessThan(1_500);
    expect(waits[3]).toBeLessThan(Math.min(...waits.slice(0, 3)) / 2);
    await simulator.stop();
  },
);
