import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBurstPace, maxEventsPerFanOut, patienceMs } from '../../src/webhooks/dispatch/burst-pace.ts';
import { createDispatchCapacity } from '../../src/webhooks/dispatch/dispatch-capacity.ts';
import { hold, respond } from './endpoint-load.ts';

const accounts = new Set(['usr_1']);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function setUp(newestAgeMs = 0) {
  const capacity = createDispatchCapacity<number>();
  const pace = createBurstPace(capacity);
  const endpoint = capacity.endpoint('wh_1', 'usr_1');
  respond(endpoint, 40, { durationMs: 4 });
  const note = (requested: number, taken: number) =>
    pace.note(requested, { taken, newestAgeMs, accounts, claimed: [], unclaimed: [] }, new Set([endpoint]));
  /** Takes the allowed number of events, which fill the endpoint. */
  const fanOut = () => {
    const requested = pace.maxEvents();
    hold(endpoint, endpoint.free);
    note(requested, requested);
  };
  return { pace, endpoint, fanOut, note };
}

describe('the pace of a burst', () => {
  test('takes a full batch at first, and after every fan-out that emptied the queue', () => {
    const { pace, note } = setUp();
    expect(pace.maxEvents()).toBe(maxEventsPerFanOut);
    note(maxEventsPerFanOut, 1);
    expect(pace.maxEvents()).toBe(maxEventsPerFanOut);
  });

  test('waits for capacity, and then takes no more than is free', () => {
    const { pace, endpoint, fanOut } = setUp();
    fanOut();
    expect(pace.maxEvents()).toBe(0);
    endpoint.releaseWaiting();
    expect(pace.maxEvents()).toBe(endpoint.free);
  });

  test('stops waiting for an endpoint that does not respond', () => {
    const { pace, endpoint, fanOut } = setUp();
    fanOut();
    endpoint.noteBacklog();
    expect(pace.maxEvents()).toBe(0);
    vi.advanceTimersByTime(patienceMs);
    expect(pace.maxEvents()).toBe(maxEventsPerFanOut);
  });

  test('does not wait when the events are old, however fast the endpoint is', () => {
    const { pace, fanOut } = setUp(10_000);
    fanOut();
    expect(pace.maxEvents()).toBe(maxEventsPerFanOut);
  });

  test('lets events of other accounts skip the burst once for each notification', () => {
    const { pace, fanOut } = setUp();
    pace.noteNewEvents();
    expect(pace.accountsToSkip()).toBeNull();
    fanOut();
    expect(pace.accountsToSkip()).toEqual(['usr_1']);
    expect(pace.accountsToSkip()).toBeNull();
  });

  test('skips no account when nothing of the burst is left', () => {
    const { pace, fanOut, note } = setUp();
    fanOut();
    note(maxEventsPerFanOut, 1);
    pace.noteNewEvents();
    expect(pace.accountsToSkip()).toBeNull();
  });
});
