import { describe, expect, test } from 'vitest';
import { maxPerAccount, maxSuspect } from '../../src/webhooks/dispatch/capacity-totals.ts';
import { createDispatchCapacity } from '../../src/webhooks/dispatch/dispatch-capacity.ts';
import { hold, respond } from './endpoint-load.ts';

describe('the capacity of an endpoint', () => {
  test('is what the endpoint responds to long before the leases expire', () => {
    const capacity = createDispatchCapacity<number>();
    const [fast, slow] = [capacity.endpoint('wh_fast', 'usr_1'), capacity.endpoint('wh_slow', 'usr_2')];
    respond(fast, 40, { durationMs: 4 });
    respond(slow, 40, { durationMs: 4_900 });
    expect(fast.free).toBeGreaterThan(150);
    expect(slow.free).toBeLessThan(75);
  });

  test('shrinks when the endpoint becomes slow, and releases what was claimed ahead', () => {
    const fast = createDispatchCapacity<number>().endpoint('wh_fast', 'usr_1');
    respond(fast, 40, { durationMs: 4 });
    hold(fast, 190);
    for (let n = 0; n < 30; n++) {
      fast.takeNext();
      fast.noteResponse(true, 4_900);
      fast.noteRecorded(true);
    }
    expect(fast.releaseExcess().length).toBeGreaterThan(50);
    expect(fast.free).toBe(0);
  });
});

test('deliveries whose lease is about to expire are released, and the others kept', () => {
  const endpoint = createDispatchCapacity<number>().endpoint('wh_1', 'usr_1');
  for (const item of [1, 2, 3, 4]) endpoint.hold(item);
  expect(endpoint.releaseExpired((item) => item < 3)).toEqual([1, 2]);
  expect([endpoint.held, endpoint.takeNext()]).toEqual([2, 3]);
  expect(endpoint.releaseExpired(() => true)).toEqual([4]);
});

describe('capacity that endpoints share', () => {
  const setUp = () => {
    const capacity = createDispatchCapacity<number>();
    const dead = Array.from({ length: 300 }, (_, n) => capacity.endpoint(`wh_dead_${n}`, `usr_${n % 2}`));
    for (const endpoint of dead) respond(endpoint, 1, { durationMs: 5_000, succeeded: false });
    return { capacity, dead };
  };

  test('is limited for all failing endpoints together, and round robin among them', () => {
    const { capacity, dead } = setUp();
    const shares = capacity.share(dead);
    expect(shares.reduce((sum, { free }) => sum + free, 0)).toBe(maxSuspect);
    expect(shares.every(({ free }) => free === 1)).toBe(true);
  });

  test('is limited for all endpoints of an account together', () => {
    const { capacity } = setUp();
    const healthy = Array.from({ length: 50 }, (_, n) => capacity.endpoint(`wh_${n}`, 'usr_healthy'));
    expect(capacity.share(healthy).reduce((sum, { free }) => sum + free, 0)).toBe(maxPerAccount);
  });

  test('goes first to endpoints that got none the last time', () => {
    const { capacity, dead } = setUp();
    const first = capacity.share(dead).map(({ endpoint }) => endpoint);
    for (const endpoint of first) {
      hold(endpoint, 1);
      endpoint.releaseWaiting();
    }
    const second = capacity.share(dead).map(({ endpoint }) => endpoint);
    expect(second.filter((endpoint) => first.includes(endpoint))).toEqual([]);
  });
});
