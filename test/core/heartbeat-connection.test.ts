import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const lastHeartbeat = async (): Promise<Date> =>
  (await app.db.query<{ at: Date }>('select max(heartbeat_at) as at from instances')).rows[0]!.at;

describe('the heartbeat', () => {
  test('is written while requests hold every connection of the pool', async () => {
    const { pool } = app.app.newCtx({ kind: 'system' });
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    try {
      const before = await lastHeartbeat();
      await eventually(async () => (await lastHeartbeat()).getTime() - before.getTime() > 3_000, {
        timeoutMs: 8_000,
        what: 'two heartbeats',
      });
      expect(pool.idleCount).toBe(0);
    } finally {
      for (const client of held) client.release();
    }
  });
});
