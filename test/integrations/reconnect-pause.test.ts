import { expect, test } from 'vitest';
import { reconnectPauseMs } from '../../src/integrations/connections/connection.ts';

test('pauses before a reconnect grow to a minute, with jitter', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map((failures) => reconnectPauseMs(failures, 'other', 1));
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(reconnectPauseMs(8, 'other', 0)).toBe(45_000);
});

test('retries a refused token five times within a few seconds', () => {
  const total = [1, 2, 3, 4].reduce((sum, failures) => sum + reconnectPauseMs(failures, 'auth', 1), 0);
  expect(total).toBeLessThan(5_000);
});
