import { describe, expect, test } from 'vitest';
import type { Sql } from '../../src/core/database/sql.ts';
import { int8Kernel } from '../../src/providers/postgres-vectors/int8-kernel.ts';
import { createMatrixCache } from '../../src/providers/postgres-vectors/matrix-cache.ts';
import { quantise, quantiseQuery } from '../../src/providers/postgres-vectors/quantise.ts';
import { createPostgresVectors } from '../../src/providers/postgres-vectors/vector-store.ts';
import { addAgent, addUser } from '../support/account-rows.ts';
import { assembleKernel, readKernel } from '../support/assemble-kernel.ts';
import { openHarness } from '../support/open-harness.ts';
import { vectorStoreSuite } from './vector-store.suite.ts';
import { limitsTime } from '../support/wall-clock.ts';

vectorStoreSuite('PostgreSQL', async () => {
  const harness = await openHarness();
  const { sql } = harness.newCtx();
  const userId = await addUser(harness);
  return {
    // With a cache of one byte, every query of another agent reads its rows again.
    store: createPostgresVectors({ sql, cacheBytes: 1 }),
    addAgent: () => addAgent(harness, userId),
    addDocument: async (agentId, id, space) => {
      await harness.query(
        `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, space, created_at)
         values ($1, $2, $3, 'a.txt', 'txt', 1, 'ready', $4, now())`,
        [id, agentId, userId, space],
      );
      await harness.query(
        `insert into agent_vector_versions values ($1, 1) on conflict (agent_id) do update set version = agent_vector_versions.version + 1`,
        [agentId],
      );
    },
    removeDocument: async (id) => {
      await harness.query('delete from documents where id = $1', [id]);
    },
    close: () => harness.close(),
  };
});

describe('int8Kernel', () => {
  test('is assembled from the committed source', async () => {
    expect(await readKernel()).toBe(await assembleKernel());
  });

  test('returns the sums of plain JavaScript to the bit, also at the ends of the range', () => {
    const dims = 96;
    const count = 37;
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
    const rowsAt = 2_048;
    const rows = new Int8Array(memory.buffer, rowsAt, count * dims).map((_, i) => {
      if (i % 7 === 0) return -127;
      return i % 11 === 0 ? 127 : ((i * 73) % 255) - 127;
    });
    new Int8Array(memory.buffer, rowsAt, count * dims).set(rows);
    const query = Int16Array.from({ length: dims }, (_, i) =>
      i % 5 === 0 ? -32_767 : ((i * 3_571) % 65_535) - 32_767,
    );
    new Int16Array(memory.buffer, 0, dims).set(query);
    int8Kernel(memory)(rowsAt, count, dims, 0, 1_024);
    const expected = Array.from({ length: count }, (_, row) =>
      query.reduce((sum, value, i) => sum + value * (rows[row * dims + i] ?? 0), 0),
    );
    expect([...new Int32Array(memory.buffer, 1_024, count)]).toEqual(expected);
  });

  test('never overflows 32 bits, whatever the dimensions', () => {
    for (const dims of [8, 512, 1_536, 3_072, 4_096]) {
      const { codes } = quantiseQuery(new Float32Array(dims).fill(1));
      expect((codes[0] ?? 0) * 127 * dims).toBeLessThan(2 ** 31);
    }
  });

  test('quantises a vector to less than a fiftieth of its length', () => {
    const vector = Float32Array.from({ length: 512 }, (_, i) => Math.sin(i * 12.9898) / 16);
    const { codes, scale } = quantise(vector);
    const off = Math.sqrt(vector.reduce((sum, value, i) => sum + (value - (codes[i] ?? 0) * scale) ** 2, 0));
    expect(off).toBeLessThan(0.02);
  });
});

describe('createMatrixCache', () => {
  const documents = 20_000;
  const ids = Array.from({ length: documents }, (_, i) => `doc_${String(i).padStart(6, '0')}`);
  const row = { position: 0, codes: new Uint8Array(32).fill(1), scale: 1 };

  /** Simulates the two statements of the cache in memory. */
  function fakeDatabase() {
    const state = { version: 1, ids };
    const read = async ({ name }: { name: string }, values: unknown[]): Promise<unknown[]> => {
      if (name === 'vectors_state') return [{ version: state.version, documents: state.ids }];
      const [asked, , after] = values as [string[], string, string];
      const page = asked.filter((id) => id > after).slice(0, 4_000);
      return page.map((documentId) => ({ ...row, documentId, chunkId: `chk ${documentId}` }));
    };
    return { state, sql: read as unknown as Sql };
  }

  test('refreshes without changes in time linear in the number of documents', limitsTime, async () => {
    const { state, sql } = fakeDatabase();
    const cache = createMatrixCache(sql, 1e9);
    await cache.current('a', 's');
    state.version++;
    const startedMs = performance.now();
    await cache.current('a', 's');
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });

  test('drops removed documents and keeps the vectors of the others', limitsTime, async () => {
    const { state, sql } = fakeDatabase();
    const cache = createMatrixCache(sql, 1e9);
    await cache.current('a', 's');
    state.version++;
    state.ids = ids.filter((_, i) => i % 2 === 0);
    const startedMs = performance.now();
    const matrix = await cache.current('a', 's');
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    const found = matrix?.nearest(new Float32Array(32).fill(32 ** -0.5), documents) ?? [];
    expect(found.toSorted()).toEqual(state.ids.map((id) => `chk ${id}`));
  });
});
