import type { DispatchCapacity } from './dispatch-capacity.ts';
import type { EndpointCapacity } from './endpoint-capacity.ts';
import type { FanOutResult } from './fan-out.ts';

export const maxEventsPerFanOut = 256;
/** A burst continues when its endpoints have this much capacity: a claim in the fan-out costs a third of a later one. */
const enoughCapacity = 96;
/** A burst waits this long for capacity in any case. */
export const patienceMs = 10;
/** It waits longer while its endpoints respond this often a millisecond, so that a slow endpoint delays no other events. */
const minResponsesPerMs = 2;
/** The longest that events of a burst wait for capacity. */
const maxWaitMs = 1_000;
/** While a burst is under way, events of other accounts are looked for at most this often. */
const skipEveryMs = 25;

/** Decides when the next events are taken from the outbox, and how many. */
export interface BurstPace {
  /** How many events may be taken now; 0 while it is better to wait, for `patienceMs` or until outcomes are recorded. */
  maxEvents(): number;
  /** Notes what a fan-out of at most `requested` events did, and to which endpoints. */
  note(requested: number, result: FanOutResult, endpoints: ReadonlySet<BurstEndpoint>): void;
  noteNewEvents(): void;
  /** The accounts of the burst, whose events a fan-out has to skip now; null without a burst, or without new events. */
  accountsToSkip(): readonly string[] | null;
}

type BurstEndpoint = Pick<EndpointCapacity<unknown>, 'free' | 'hasBacklog' | 'responses'>;

/** A fan-out that took as many events as it might, so that more are waiting. */
interface Burst {
  endpoints: ReadonlySet<BurstEndpoint>;
  /** How old the newest of its events was when it started. */
  newestAgeMs: number;
  startedAtMs: number;
  responsesBefore: number;
}

export function createBurstPace({ totals }: Pick<DispatchCapacity<unknown>, 'totals'>): BurstPace {
  let burst: Burst | null = null;
  /** Whose events filled the last fan-out and the one before. */
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
