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
/** While events wait behind a burst, those of other accounts than its own are looked for so often, at most. */
const passMs = 25;

/** When the next events are taken from the outbox, and how many. */
export interface FanOutPace {
  /** At most this many, now; 0 while it is better to wait for room, for `patienceMs` or until outcomes are written. */
  maxEvents(now: Date): number;
  /** A fan-out that might take `asked` events did this. */
  note(asked: number, result: FanOutResult, endpoints: ReadonlySet<EndpointRoom<unknown>>): void;
  /** There are new events. */
  told(): void;
  /** The accounts whose burst the new events of others pass now; null when there is no burst, or nothing new. */
  toPass(): readonly string[] | null;
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
  /** Whose events filled the last fan-out, and the one before; nobody's when there was nothing behind them. */
  let crowd: readonly ReadonlySet<string>[] = [];
  let news = false;
  let passedAt = -passMs;

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
    told: () => {
      news = true;
    },
    toPass: () => {
      if (!news || crowd.length === 0 || performance.now() - passedAt < passMs) return null;
      news = false;
      passedAt = performance.now();
      return crowd.flatMap((accounts) => [...accounts]);
    },
    note: (asked, { taken, newestAt, accounts }, endpoints) => {
      crowd = taken === asked ? [...crowd.slice(-1), accounts] : [];
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
