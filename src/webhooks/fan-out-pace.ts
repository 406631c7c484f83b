import type { FanOutResult } from './dispatch-fan-out.ts';
import type { DispatchRoom, EndpointRoom } from './dispatch-room.ts';

export const maxEventsPerFanOut = 256;
/** A burst goes on when its endpoints have room for so many: a claim in the fan-out costs a third of one later. */
const leastRoom = 96;
/** So long it waits for room in any case. */
export const patienceMs = 10;
/** And longer while its endpoints answer so many in a millisecond: whoever is slow keeps nobody else's events waiting. */
const leastAnswersPerMs = 2;
/** Nor does one that is fast, when the events of a burst are so old. */
const oldestMs = 1_000;

/** When the next events are taken from the outbox, and how many. */
export interface FanOutPace {
  /** At most this many, now; 0 while it is better to wait for room, for `patienceMs` or until outcomes are written. */
  maxEvents(now: Date): number;
  /** A fan-out that might take `asked` events did this. */
  note(asked: number, result: FanOutResult, endpoints: ReadonlySet<EndpointRoom<unknown>>): void;
}

interface Burst {
  endpoints: ReadonlySet<EndpointRoom<unknown>>;
  newestAt: Date;
  startedAt: number;
  answeredBefore: number;
}

export function createFanOutPace<Item>(room: DispatchRoom<Item>): FanOutPace {
  /** After a fan-out behind which more events wait. */
  let burst: Burst | null = null;

  const roomOf = ({ endpoints }: Burst): number => {
    let free = 0;
    for (const endpoint of endpoints) if (!endpoint.backlog) free += room.free(endpoint as EndpointRoom<Item>);
    return Math.min(free, room.totalFree());
  };

  const isWorthWaiting = ({ endpoints, newestAt, startedAt, answeredBefore }: Burst, now: Date): boolean => {
    if (now.getTime() - newestAt.getTime() > oldestMs) return false;
    const waitedMs = performance.now() - startedAt;
    return waitedMs < patienceMs || answersOf(endpoints) - answeredBefore >= waitedMs * leastAnswersPerMs;
  };

  return {
    maxEvents: (now) => {
      if (!burst) return maxEventsPerFanOut;
      const free = roomOf(burst);
      if (free >= leastRoom) return Math.min(free, maxEventsPerFanOut);
      return isWorthWaiting(burst, now) ? 0 : maxEventsPerFanOut;
    },
    note: (asked, { taken, newestAt }, endpoints) => {
      const goesOn = taken === asked && newestAt !== null && endpoints.size > 0;
      burst = goesOn
        ? { endpoints, newestAt, startedAt: performance.now(), answeredBefore: answersOf(endpoints) }
        : null;
    },
  };
}

function answersOf(endpoints: ReadonlySet<EndpointRoom<unknown>>): number {
  let answers = 0;
  for (const { answered } of endpoints) answers += answered;
  return answers;
}
