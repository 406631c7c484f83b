import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDispatchRoom, type EndpointRoom, maxPerAccount, maxSuspect } from '../../src/webhooks/dispatch-room.ts';
import { createFanOutPace, maxEventsPerFanOut, patienceMs } from '../../src/webhooks/fan-out-pace.ts';

type Room = ReturnType<typeof createDispatchRoom<number>>;

/** `count` answers of an endpoint, each after so long. */
function answer(room: Room, endpoint: EndpointRoom<number>, count: number, durationMs: number): void {
  for (let n = 0; n < count; n++) {
    room.hold(endpoint, n);
    room.next(endpoint);
    room.answered(endpoint, true, durationMs);
    room.written(endpoint, true);
  }
}

function hold(room: Room, endpoint: EndpointRoom<number>, count: number): void {
  for (let n = 0; n < count; n++) room.hold(endpoint, n);
}

describe('a burst of events', () => {
  const accounts = new Set(['usr_1']);
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  const setUp = (newestAt = new Date()) => {
    const room = createDispatchRoom<number>();
    const pace = createFanOutPace(room);
    const endpoint = room.endpoint('wh_1', 'usr_1');
    answer(room, endpoint, 40, 4);
    /** As many events as were asked for, and what they filled. */
    const fanOut = () => {
      const asked = pace.maxEvents(new Date());
      hold(room, endpoint, room.free(endpoint));
      pace.note(asked, { taken: asked, newestAt, accounts, claimed: [], left: [] }, new Set([endpoint]));
      return asked;
    };
    return { room, pace, endpoint, fanOut };
  };
  const most = ({ pace }: ReturnType<typeof setUp>) => pace.maxEvents(new Date());

  test('begins at once, and so does every event that has none behind it', () => {
    const { pace, endpoint } = setUp();
    expect(pace.maxEvents(new Date())).toBe(maxEventsPerFanOut);
    pace.note(
      maxEventsPerFanOut,
      { taken: 1, newestAt: new Date(), accounts, claimed: [], left: [] },
      new Set([endpoint]),
    );
    expect(pace.maxEvents(new Date())).toBe(maxEventsPerFanOut);
  });

  test('waits for room, and then takes no more than there is', () => {
    const burst = setUp();
    burst.fanOut();
    expect(most(burst)).toBe(0);
    burst.room.dropWaiting(burst.endpoint);
    expect(most(burst)).toBe(burst.room.free(burst.endpoint));
  });

  test('waits for no endpoint that does not answer, so that nobody behind it waits', () => {
    const burst = setUp();
    burst.fanOut();
    burst.endpoint.backlog = true;
    expect(most(burst)).toBe(0);
    vi.advanceTimersByTime(patienceMs);
    expect(most(burst)).toBe(maxEventsPerFanOut);
  });

  test('waits no longer once its events are old, however fast the endpoint is', () => {
    const burst = setUp(new Date(Date.now() - 10_000));
    burst.fanOut();
    expect(most(burst)).toBe(maxEventsPerFanOut);
  });

  test('is passed by the events of others, once for each time that there are new ones', () => {
    const { pace, fanOut } = setUp();
    pace.told();
    expect(pace.toPass()).toBeNull();
    fanOut();
    expect(pace.toPass()).toEqual(['usr_1']);
    expect(pace.toPass()).toBeNull();
  });

  test('is passed by nobody when nothing is left of it', () => {
    const { pace, endpoint, fanOut } = setUp();
    fanOut();
    pace.note(
      maxEventsPerFanOut,
      { taken: 1, newestAt: new Date(), accounts, claimed: [], left: [] },
      new Set([endpoint]),
    );
    pace.told();
    expect(pace.toPass()).toBeNull();
  });
});

test('an endpoint gets ahead what it can answer long before the lease is over', () => {
  const room = createDispatchRoom<number>();
  const [fast, slow] = [room.endpoint('wh_fast', 'usr_1'), room.endpoint('wh_slow', 'usr_2')];
  answer(room, fast, 40, 4);
  answer(room, slow, 40, 4_900);
  expect(room.free(fast)).toBeGreaterThan(150);
  expect(room.free(slow)).toBeLessThan(75);
  hold(room, fast, 190);
  for (let n = 0; n < 30; n++) {
    room.next(fast);
    room.answered(fast, true, 4_900);
    room.written(fast, true);
  }
  expect(room.dropExcess(fast).length).toBeGreaterThan(50);
  expect(room.free(fast)).toBe(0);
});

test('what is claimed together keeps to what endpoints that fail, and an account, may hold together', () => {
  const room = createDispatchRoom<number>();
  const dead = Array.from({ length: 300 }, (_, n) => room.endpoint(`wh_dead_${n}`, `usr_${n % 2}`));
  for (const endpoint of dead) {
    room.hold(endpoint, 0);
    room.next(endpoint);
    room.answered(endpoint, false, 5_000);
    room.written(endpoint, false);
  }
  const first = room.share(dead);
  expect(first.reduce((sum, { free }) => sum + free, 0)).toBe(maxSuspect);
  expect(first.every(({ free }) => free === 1)).toBe(true);

  const healthy = Array.from({ length: 50 }, (_, n) => room.endpoint(`wh_${n}`, 'usr_healthy'));
  expect(room.share(healthy).reduce((sum, { free }) => sum + free, 0)).toBe(maxPerAccount);

  // Whoever got nothing is the first one the next time.
  for (const { known } of first) {
    hold(room, known, 1);
    room.dropWaiting(known);
  }
  const second = room.share(dead).map(({ known }) => known);
  expect(second.filter((known) => first.some((share) => share.known === known))).toEqual([]);
});
