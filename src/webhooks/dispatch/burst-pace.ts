import type { DispatchCapacity } from './dispatch-capacity.ts';
import type { EndpointCapacity } from './endpoint-capacity.ts';
import type { FanOutResult } from './fan-out.ts';

export const maxEventsPerFanOut = 256;
/**
 * Free capacity from which a burst continues. Waiting for it pays off: a claim in the fan-out costs a third of a later
 * one.
 */
const enoughCapacity = 96;
/** Minimum time that a burst waits for capacity. */
export const patienceMs = 10;
/**
 * Response rate of the burst's endpoints above which it waits longer, so that a slow endpoint does not delay other
 * events.
 */
const minResponsesPerMs = 2;
/** Maximum age of events that still wait for capacity. */
const maxWaitMs = 1_000;
/** Minimum interval between fan-outs for other accounts during a burst. */
const skipEveryMs = 25;

/** Decides when the next events are taken from the outbox, and how many. */
export interface BurstPace {
  /** Returns the number of events to take now; 0 to wait for `patienceMs` or until outcomes are recorded. */
  maxEvents(): number;
  /** Notes the result of a fan-out of at most `requested` events and its endpoints. */
  note(requested: number, result: FanOutResult, endpoints: ReadonlySet<BurstEndpoint>): void;
  noteNewEvents(): void;
  /**
   * Returns the accounts of the burst, which the next fan-out has to skip. Null without a burst or without new events.
   */
  accountsToSkip(): readonly string[] | null;
}

type BurstEndpoint = Pick<EndpointCapacity<unknown>, 'free' | 'hasBacklog' | 'responses'>;

/** A fan-out that took the maximum number of events, so that more are waiting. */
interface Burst {
  endpoints: ReadonlySet<BurstEndpoint>;
  /** Age of its newest event when the burst started. */
  newestAgeMs: number;
  startedAtMs: number;
  responsesBefore: number;
}

export function createBurstPace({ totals }: Pick<DispatchCapacity<unknown>, 'totals'>): BurstPace {
  let burst: Burst | null = null;
  /** Accounts of the events in the last two fan-outs. */
  let burstAccounts: readonly ReadonlySet<string>[] = [];
  let hasNewEvents = false;
  let skippedAtMs = -skipEveryMs;

  const freeOf = ({ endpoints }: Burst): number => {
    let free = 0;
    for (const endpoint of endpoints) if (!endpoint.hasBacklog) free += endpoint.free;
    return Math.min(free, totals.free);
  };

  const isWorthWaiting = ({ endpoints, newestAgeMs, startedAtMs, responsesBefore }: Burst): boolean => {
    const waitedMs = performance.now() - startedAtMs;
    if (newestAgeMs + waitedMs > maxWaitMs) return false;
    return waitedMs < patienceMs || responsesOf(endpoints) - responsesBefore >= waitedMs * minResponsesPerMs;
  };

  return {
    maxEvents: () => {
      if (!burst) return maxEventsPerFanOut;
      const free = freeOf(burst);
      if (free >= enoughCapacity) return Math.min(free, maxEventsPerFanOut);
      return isWorthWaiting(burst) ? 0 : maxEventsPerFanOut;
    },
    noteNewEvents: () => {
      hasNewEvents = true;
    },
    accountsToSkip: () => {
      if (!hasNewEvents || burstAccounts.length === 0 || performance.now() - skippedAtMs < skipEveryMs) return null;
      hasNewEvents = false;
      skippedAtMs = performance.now();
      return burstAccounts.flatMap((accounts) => [...accounts]);
    },
    note: (requested, { taken, newestAgeMs, accounts }, endpoints) => {
      burstAccounts = taken === requested ? [...burstAccounts.slice(-1), accounts] : [];
      const continues = taken === requested && newestAgeMs !== null && endpoints.size > 0;
      burst = continues
        ? { endpoints, newestAgeMs, startedAtMs: performance.now(), responsesBefore: responsesOf(endpoints) }
        : null;
    },
  };
}

function responsesOf(endpoints: ReadonlySet<BurstEndpoint>): number {
  let count = 0;
  for (const { responses } of endpoints) count += responses;
  return count;
}
