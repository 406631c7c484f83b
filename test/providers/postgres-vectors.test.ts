import { describe, expect, test } from 'vitest';
import { int8Kernel } from '../../src/providers/postgres-vectors/int8-kernel.ts';
import { quantise, quantiseQuery } from '../../src/providers/postgres-vectors/quantise.ts';
import { createPostgresVectors } from '../../src/providers/postgres-vectors/vector-store.ts';
import { addAgent, addUser } from '../support/account-rows.ts';
import { openHouse } from '../support/open-house.ts';
import { vectorStoreSuite } from './vector-store.suite.ts';

vectorStoreSuite('PostgreSQL', async () => {
  const house = await openHouse();
  const { sql } = house.newCtx();
  const userId = await addUser(house);
  return {
    // A cache of next to nothing: every question of another agent reads its rows again.
    store: createPostgresVectors({ sql, cacheBytes: 1 }),
    addAgent: () => addAgent(house, userId),
    addDocument: async (agentId, id, space) => {
      await house.query(
        `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, space, created_at)
         values ($1, $2, $3, 'a.txt', 'txt', 1, 'ready', $4, now())`,
        [id, agentId, userId, space],
      );
      await house.query(
        `insert into agent_vector_versions values ($1, 1) on conflict (agent_id) do update set version = agent_vector_versions.version + 1`,
        [agentId],
      );
    },
    removeDocument: async (id) => {
      await house.query('delete from documents where id = $1', [id]);
    },
    close: () => house.close(),
  };
});

describe('the kernel', () => {
  test('gives the sums of plain JavaScript to the bit, at the ends of the range too', () => {
    const dims = 96;
    const count = 37;
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
    const rowsAt = 2_048;
    const rows = new Int8Array(memory.buffer, rowsAt, count * dims).map((_, i) =>
      i % 7 === 0 ? -127 : i % 11 === 0 ? 127 : ((i * 73) % 255) - 127,
    );
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

  test('no sum of products leaves 32 bits, whatever the dimensions', () => {
    for (const dims of [8, 512, 1_536, 3_072, 4_096]) {
      const { codes } = quantiseQuery(new Float32Array(dims).fill(1));
      expect((codes[0] ?? 0) * 127 * dims).toBeLessThan(2 ** 31);
    }
  });

  test('a vector in bytes is off by no more than it says', () => {
    const vector = Float32Array.from({ length: 512 }, (_, i) => Math.sin(i * 12.9898) / 16);
    const { codes, scale, error } = quantise(vector);
    const off = Math.sqrt(vector.reduce((sum, value, i) => sum + (value - (codes[i] ?? 0) * scale) ** 2, 0));
    expect(off).toBeLessThanOrEqual(error);
    expect(error).toBeLessThan(0.02);
  });
});
