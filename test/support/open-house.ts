import { createTestDatabase } from './database.ts';
import { createHouse, type House } from './house.ts';

/** A house over a migrated database of its own, which goes with it. */
export async function openHouse(options: Omit<Parameters<typeof createHouse>[0], 'url'> = {}): Promise<House> {
  const database = await createTestDatabase();
  const house = await createHouse({ url: database.url, ...options });
  return {
    ...house,
    async close() {
      await house.close();
      await database.drop();
    },
  };
}
