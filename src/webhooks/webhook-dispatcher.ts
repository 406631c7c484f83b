import { randomUUID } from 'node:crypto';
import type { Ctx } from '../core/ctx.ts';
import { outboxKind } from '../core/outbox.ts';
import { createSafeFetch, type Resolve } from '../core/safe-fetch.ts';
import { describeError } from '../core/task-errors.ts';
import { deliver } from './deliver.ts';
import { type DispatchSlots, createDispatchSlots, type EndpointSlots, maxPerEndpoint } from './dispatch-slots.ts';
import {
  claimDueDeliveries,
  type ClaimedDelivery,
  fanOutEvents,
  findDueEndpoints,
  type Room,
} from './dispatch-claims.ts';
import { createEndpoints } from './dispatch-endpoints.ts';
import { type Outcome, recordOutcomes } from './dispatch-outcomes.ts';
import { deliveriesKind, maxConsecutiveFailures } from './delivery.ts';

/** Brings the events of the outbox to the webhooks that want them, at least once each. Any number of processes may run one. */
export interface WebhookDispatcher {
  /** What `ctx.ports.tasks` wakes it for: new events, and deliveries that are due. */
  kinds: readonly string[];
  start(): void;
  wake(kind: string): void;
  /** Claims no more and waits up to `graceMs` for what is on its way; the rest comes again when its lease runs out. */
  stop(graceMs: number): Promise<void>;
}

interface DispatcherOptions {
  /** A fresh Ctx of the system actor. */
  newCtx: () => Ctx;
  /** How endpoints' names become addresses; the system's resolver when omitted. */
  resolve?: Resolve;
}

/** Longer than any attempt and the writing of its outcome: after it a dead process's deliveries are taken up again. */
const leaseMs = 15_000;
const pollMs = 1_000;
const eventsPerFanOut = 256;
const endpointsPerLook = 5_000;
const outcomesPerWrite = 500;
const writeAgainMs = 200;

export function createWebhookDispatcher({ newCtx, resolve }: DispatcherOptions): WebhookDispatcher {
  const { allowPrivate } = newCtx().config.webhooks;
  const fetch = createSafeFetch({ allowPrivate, connectionsPerOrigin: maxPerEndpoint, resolve });
  const slots = createDispatchSlots(maxConsecutiveFailures);
  const endpoints = createEndpoints(newCtx);
  const outcomes: Outcome[] = [];
  let eventsWaiting = false;
  let lookWaiting = false;
  let lookAfter = '';
  let pumping: Promise<void> | undefined;
  let writing: Promise<void> | undefined;
  let poll: NodeJS.Timeout | undefined;
  let stopped = true;

  /** Claims for as long as there is something to claim and room for it; one claim at a time, so that the room is right. */
  function pump(): void {
    if (stopped) return;
    pumping ??= claimAll().then(
      () => {
        pumping = undefined;
        // What was asked for in the moment between the last look and here.
        if (hasWork()) pump();
      },
      (error: unknown) => {
        pumping = undefined;
        newCtx().log.warn({ error: describeError(error) }, 'could not claim deliveries');
      },
    );
  }

  const hasWork = () => (eventsWaiting && slots.totalFree() > 0) || lookWaiting || slots.ready().length > 0;

  async function claimAll(): Promise<void> {
    for (;;) {
      if (stopped) return;
      const claimedEvents = eventsWaiting && slots.totalFree() > 0;
      if (claimedEvents) await claimNewEvents();
      if (lookWaiting) await lookForDue();
      const ready = slots.ready();
      if (ready.length > 0) await claimBacklog(ready);
      if (!claimedEvents && !lookWaiting && ready.length === 0) return;
    }
  }

  const lease = () => {
    const now = newCtx().clock.now();
    return { now, leaseToken: randomUUID(), leaseUntil: new Date(now.getTime() + leaseMs) };
  };

  async function claimNewEvents(): Promise<void> {
    eventsWaiting = false;
    try {
      const { events, claimed, left } = await fanOutEvents(newCtx().sql, {
        ...lease(),
        maxEvents: eventsPerFanOut,
        endpoints: slots.known().map((known) => roomOf(slots, known)),
        accounts: slots.busyAccounts(),
        totalFree: slots.totalFree(),
      });
      for (const delivery of claimed) send(delivery);
      for (const { webhookId, accountId } of left) slots.endpoint(webhookId, accountId).backlog = true;
      if (events === eventsPerFanOut) eventsWaiting = true;
    } catch (error) {
      eventsWaiting = true;
      throw error;
    }
  }

  async function claimBacklog(ready: readonly EndpointSlots[]): Promise<void> {
    const { sql, config } = newCtx();
    const room = ready.map((known) => ({ id: known.webhookId, free: slots.free(known) }));
    const { claimed, found } = await claimDueDeliveries(sql, {
      ...lease(),
      endpoints: shareOut(room, slots.totalFree()),
      maxAttempts: config.webhooks.retryDelaysSeconds.length + 1,
    });
    for (const known of ready) if (!found.has(known.webhookId)) known.backlog = false;
    for (const delivery of claimed) send(delivery);
  }

  async function lookForDue(): Promise<void> {
    lookWaiting = false;
    const { sql, clock } = newCtx();
    const looked = await findDueEndpoints(sql, clock.now(), lookAfter, endpointsPerLook);
    lookAfter = looked.length === endpointsPerLook ? (looked.at(-1)?.webhookId ?? '') : '';
    for (const { webhookId, accountId, due } of looked) if (due) slots.endpoint(webhookId, accountId).backlog = true;
  }

  function send(delivery: ClaimedDelivery): void {
    const { webhookId, accountId, consecutiveFailures } = delivery;
    slots.take(webhookId, accountId, maxConsecutiveFailures - consecutiveFailures);
    void attempt(delivery)
      .catch((error: unknown): Outcome | null => {
        // It stays leased, and comes again when the lease runs out.
        newCtx().log.error({ error: describeError(error), webhookId }, 'an attempt could not be made');
        return null;
      })
      .then((outcome) => {
        if (!outcome) return release(webhookId, null, undefined);
        outcomes.push(outcome);
        writeOutcomes();
      });
  }

  async function attempt(delivery: ClaimedDelivery): Promise<Outcome | null> {
    const { clock, config } = newCtx();
    const found = endpoints.get(delivery.webhookId, delivery.revision);
    const endpoint = found instanceof Promise ? await found : found;
    if (!endpoint) return null;
    if (delivery.dataText === null) return expired(delivery);
    return deliver(delivery, endpoint, {
      fetch,
      now: () => clock.now(),
      retryDelaysSeconds: config.webhooks.retryDelaysSeconds,
    });
  }

  function writeOutcomes(): void {
    writing ??= writeAll().then(() => {
      writing = undefined;
      if (outcomes.length > 0) writeOutcomes();
    });
  }

  async function writeAll(): Promise<void> {
    while (outcomes.length > 0) {
      const batch = outcomes.splice(0, outcomesPerWrite);
      const failures = await writeBatch(batch);
      for (const { delivery, succeeded } of batch)
        release(delivery.webhookId, succeeded, failures.get(delivery.webhookId));
      const ctx = newCtx();
      for (const { dueAt } of batch) if (dueAt) ctx.ports.tasks.wake(deliveriesKind, dueAt);
      pump();
    }
  }

  /** Tried until it succeeds or the leases are over, after which the write would change nothing. */
  async function writeBatch(batch: readonly Outcome[]): Promise<Map<string, number>> {
    const deadline = performance.now() + leaseMs;
    for (;;) {
      const ctx = newCtx();
      try {
        return await recordOutcomes(ctx, batch);
      } catch (error) {
        ctx.log.warn({ error: describeError(error) }, 'could not write outcomes of deliveries');
        if (performance.now() > deadline) return new Map();
        await new Promise((resolve) => setTimeout(resolve, writeAgainMs));
      }
    }
  }

  function release(webhookId: string, succeeded: boolean | null, failures: number | undefined): void {
    slots.release(webhookId, succeeded, maxConsecutiveFailures - (failures ?? 0));
  }

  function tick(): void {
    eventsWaiting = true;
    lookWaiting = true;
    slots.forgetIdle();
    pump();
  }

  return {
    kinds: [outboxKind, deliveriesKind],
    start: () => {
      stopped = false;
      poll = setInterval(tick, pollMs);
      tick();
    },
    wake: (kind) => {
      if (kind === outboxKind) eventsWaiting = true;
      else lookWaiting = true;
      pump();
    },
    stop: async (graceMs) => {
      stopped = true;
      clearInterval(poll);
      await pumping;
      const deadline = performance.now() + graceMs;
      while (slots.inFlight() > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
      await fetch.close();
    },
  };
}

const roomOf = (slots: DispatchSlots, known: EndpointSlots): Room => ({
  id: known.webhookId,
  // What is new goes behind what is waiting.
  free: known.backlog ? 0 : slots.free(known),
});

/** Cuts the room of each endpoint down so that all of it fits into `total`, in turns. */
function shareOut(rooms: readonly Room[], total: number): Room[] {
  let left = total;
  const shares = rooms.map(({ id }) => ({ id, free: 0 }));
  for (let given = true; given && left > 0;) {
    given = false;
    for (const [i, share] of shares.entries()) {
      if (left === 0 || share.free >= (rooms[i]?.free ?? 0)) continue;
      share.free++;
      left--;
      given = true;
    }
  }
  return shares.filter(({ free }) => free > 0);
}

/** The event was purged before it could be delivered. */
const expired = (delivery: ClaimedDelivery): Outcome => ({
  delivery,
  status: 'failed',
  dueAt: null,
  attempt: {
    startedAt: delivery.attemptedAt.toISOString(),
    status: null,
    durationMs: null,
    error: 'event_expired',
    excerpt: null,
  },
  succeeded: null,
  gone: false,
});
