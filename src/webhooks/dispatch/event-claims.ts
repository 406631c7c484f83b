import { randomUUID } from 'node:crypto';
import type { ClaimOptions } from './backlog-claims.ts';
import { type BurstPace, maxEventsPerFanOut, patienceMs } from './burst-pace.ts';
import { adoptEvents, fanOutEvents, type FanOutResult } from './fan-out.ts';
import { createQueueMark } from './queue-mark.ts';

/** Fans new events out to deliveries, and claims those whose endpoints have capacity. */
export interface EventClaims {
  /** Notes that the outbox may have new events. */
  noteEvents(): void;
  /** Returns the sequence number from which the queue is searched. */
  queueFrom(): number;
  /** Returns the number of events to take now; 0 when there are none, or no capacity. */
  maxEvents(): number;
  /** Takes up to `limit` events. */
  claim(limit: number): Promise<void>;
  /** Takes the newest events of other accounts while a burst fills the queue. */
  claimBesideBurst(): Promise<void>;
}

export interface EventClaimsOptions extends ClaimOptions {
  pace: BurstPace;
  /** Called when events wait for capacity. */
  onWaiting: () => void;
}

export function createEventClaims(options: EventClaimsOptions): EventClaims {
  const { newCtx, leaseMs, capacity, pace, onClaimed, onFailures, onWaiting } = options;
  const queueMark = createQueueMark();
  let hasEvents = false;

  async function claim(limit: number): Promise<void> {
    hasEvents = false;
    try {
      const result = await fanOut(limit, null);
      const touched = [...result.claimed, ...result.unclaimed];
      pace.note(limit, result, new Set(touched.map((one) => capacity.endpoint(one.webhookId, one.accountId))));
      const adopted = result.taken === 0 ? await adoptEvents(newCtx().sql, maxEventsPerFanOut) : [];
      if (adopted.length > 0) queueMark.include(Math.min(...adopted));
      if (result.taken === limit || adopted.length > 0) hasEvents = true;
      if (hasEvents) setTimeout(onWaiting, patienceMs).unref();
    } catch (error) {
      hasEvents = true;
      throw error;
    }
  }

  async function fanOut(limit: number, skippedAccounts: readonly string[] | null): Promise<FanOutResult> {
    const sinceMs = performance.now();
    const { sql } = newCtx();
    const result = await fanOutEvents(sql, {
      leaseToken: randomUUID(),
      leaseMs,
      from: await queueMark.read(sql),
      maxEvents: limit,
      // An endpoint with a backlog gets no new deliveries directly, so that older ones are sent first.
      endpoints: capacity.withHistory().map((endpoint) => ({
        id: endpoint.webhookId,
        free: endpoint.hasBacklog || endpoint.isFailing ? 0 : endpoint.free,
      })),
      accounts: capacity.totals.busyAccounts(),
      totalFree: capacity.totals.free,
      skippedAccounts,
    });
    queueMark.noteTaken(result.taken);
    for (const { webhookId, accountId, consecutiveFailures } of result.unclaimed) {
      const endpoint = capacity.endpoint(webhookId, accountId);
      endpoint.noteBacklog();
      if (consecutiveFailures > 0) onFailures(endpoint, consecutiveFailures);
    }
    onClaimed(result.claimed, sinceMs);
    return result;
  }

  return {
    noteEvents: () => {
      hasEvents = true;
      pace.noteNewEvents();
    },
    queueFrom: () => queueMark.peek(),
    maxEvents: () => (hasEvents && capacity.totals.free > 0 ? pace.maxEvents() : 0),
    claim,
    claimBesideBurst: async () => {
      const skippedAccounts = capacity.totals.free > 0 ? pace.accountsToSkip() : null;
      if (!skippedAccounts) return;
      const { taken } = await fanOut(maxEventsPerFanOut, skippedAccounts);
      if (taken === maxEventsPerFanOut) pace.noteNewEvents();
    },
  };
}
