import { createTestDatabase } from './database.ts';
import { createHarness, type Harness } from './harness.ts';

/** A harness on its own migrated database, which `close` drops. */
export async function openHarness(options: Omit<Parameters<typeof createHarness>[0], 'url'> = {}): Promise<Harness> {
  const database = await createTestDatabase();
  const harness = await createHarness({ url: database.url, ...options });
  return {
    ...harness,
    async close() {
      await harness.close();
      await database.drop();
    },
  };
}
