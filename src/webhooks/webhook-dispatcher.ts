import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../core/ctx.ts';
import { outboxKind } from '../core/outbox.ts';
import { createSafeFetch, type Resolve } from '../core/safe-fetch.ts';
import { describeError } from '../core/task-errors.ts';
import { deliver } from './deliver.ts';
import {
  claimDueDeliveries,
  type ClaimedDelivery,
  fanOutEvents,
  findDueEndpoints,
  giveBackDeliveries,
  type Room,
} from './dispatch-claims.ts';
import { createEndpoints } from './dispatch-endpoints.ts';
import { type Counted, type Outcome, recordOutcomes } from './dispatch-outcomes.ts';
import { createDispatchRoom, type DispatchRoom, type EndpointRoom, maxTotal } from './dispatch-room.ts';
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

type Known = EndpointRoom<ClaimedDelivery>;

export function createWebhookDispatcher({ newCtx, resolve }: DispatcherOptions): WebhookDispatcher {
  const { allowPrivate, retryDelaysSeconds } = newCtx().config.webhooks;
  const fetch = createSafeFetch({ allowPrivate, maxConnectionsPerOrigin: maxTotal, resolve });
  const room = createDispatchRoom<ClaimedDelivery>(maxConsecutiveFailures);
  const endpoints = createEndpoints(newCtx);
  const { clock } = newCtx();
  const now = () => clock.now();
  const outcomes: { known: Known; outcome: Outcome }[] = [];
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

  const hasWork = () => (eventsWaiting && room.totalFree() > 0) || lookWaiting || room.ready().length > 0;

  async function claimAll(): Promise<void> {
    for (;;) {
      if (stopped) return;
      const claimedEvents = eventsWaiting && room.totalFree() > 0;
      if (claimedEvents) await claimNewEvents();
      if (lookWaiting) await lookForDue();
      const ready = room.ready();
      if (ready.length > 0) await claimBacklog(ready);
      if (!claimedEvents && !lookWaiting && ready.length === 0) return;
    }
  }

  const lease = () => ({ now: now(), leaseToken: randomUUID(), leaseUntil: new Date(now().getTime() + leaseMs) });

  async function claimNewEvents(): Promise<void> {
    eventsWaiting = false;
    try {
      const { events, claimed, left } = await fanOutEvents(newCtx().sql, {
        ...lease(),
        maxEvents: eventsPerFanOut,
        endpoints: room.known().map((known) => roomOf(room, known)),
        accounts: room.busyAccounts(),
        totalFree: room.totalFree(),
      });
      for (const delivery of claimed) take(delivery);
      for (const { webhookId, accountId } of left) room.endpoint(webhookId, accountId).backlog = true;
      if (events === eventsPerFanOut) eventsWaiting = true;
    } catch (error) {
      eventsWaiting = true;
      throw error;
    }
  }

  async function claimBacklog(ready: readonly Known[]): Promise<void> {
    const rooms = ready.map((known) => ({ id: known.webhookId, free: room.free(known) }));
    const { claimed, found } = await claimDueDeliveries(newCtx().sql, {
      ...lease(),
      endpoints: shareOut(rooms, room.totalFree()),
      maxAttempts: retryDelaysSeconds.length + 1,
    });
    for (const known of ready) if (!found.has(known.webhookId)) known.backlog = false;
    for (const delivery of claimed) take(delivery);
  }

  async function lookForDue(): Promise<void> {
    lookWaiting = false;
    const looked = await findDueEndpoints(newCtx().sql, now(), lookAfter, endpointsPerLook);
    lookAfter = looked.length === endpointsPerLook ? (looked.at(-1)?.webhookId ?? '') : '';
    for (const { webhookId, accountId, due } of looked) if (due) room.endpoint(webhookId, accountId).backlog = true;
  }

  function take(delivery: ClaimedDelivery): void {
    const { webhookId, accountId, consecutiveFailures } = delivery;
    sendNext(room.hold(webhookId, accountId, maxConsecutiveFailures - consecutiveFailures, delivery));
  }

  function sendNext(known: Known): void {
    if (stopped) return;
    for (let delivery = room.next(known); delivery; delivery = room.next(known)) void send(known, delivery);
  }

  async function send(known: Known, delivery: ClaimedDelivery): Promise<void> {
    try {
      const outcome = await attempt(delivery);
      room.answered(known, outcome?.succeeded ?? null);
      if (outcome) outcomes.push({ known, outcome });
      else room.written(known);
    } catch (error) {
      // It stays leased, and comes again when the lease runs out.
      newCtx().log.error({ error: describeError(error), deliveryId: delivery.id }, 'an attempt could not be made');
      room.answered(known, null);
      room.written(known);
    }
    sendNext(known);
    writeOutcomes();
  }

  /** Null when the webhook is gone, and its deliveries with it. */
  async function attempt(delivery: ClaimedDelivery): Promise<Outcome | null> {
    const found = endpoints.get(delivery.webhookId, delivery.revision);
    const endpoint = found instanceof Promise ? await found : found;
    if (!endpoint) return null;
    if (delivery.dataText === null) return expired(delivery);
    return deliver(delivery, endpoint, { fetch, now, retryDelaysSeconds });
  }

  function writeOutcomes(): void {
    if (outcomes.length === 0) return;
    writing ??= writeAll().then(() => {
      writing = undefined;
      writeOutcomes();
    });
  }

  async function writeAll(): Promise<void> {
    while (outcomes.length > 0) {
      const batch = outcomes.splice(0, outcomesPerWrite);
      const counted = await writeBatch(batch.map(({ outcome }) => outcome));
      const { tasks } = newCtx().ports;
      for (const { known, outcome } of batch) {
        room.written(known);
        known.failuresLeft = maxConsecutiveFailures - (counted.get(known.webhookId)?.failures ?? 0);
        if (outcome.dueAt && !stopped) tasks.wake(deliveriesKind, outcome.dueAt);
      }
      for (const known of new Set(batch.map(({ known }) => known))) {
        if (counted.get(known.webhookId)?.disabled) void giveBack(room.dropWaiting(known));
        sendNext(known);
      }
      pump();
    }
  }

  /** Tried until it succeeds or the leases are over, after which the write would change nothing. */
  async function writeBatch(batch: readonly Outcome[]): Promise<Map<string, Counted>> {
    const deadline = performance.now() + leaseMs;
    for (;;) {
      const ctx = newCtx();
      try {
        return await recordOutcomes(ctx, batch);
      } catch (error) {
        ctx.log.warn({ error: describeError(error) }, 'could not write outcomes of deliveries');
        if (performance.now() > deadline) return new Map();
        await sleep(writeAgainMs);
      }
    }
  }

  /** What was claimed and must not be sent now. Should it fail, the leases run out. */
  function giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return Promise.resolve();
    const { sql, log } = newCtx();
    return giveBackDeliveries(sql, deliveries).catch((error: unknown) =>
      log.warn({ error: describeError(error) }, 'could not give deliveries back'),
    );
  }

  function tick(): void {
    eventsWaiting = true;
    lookWaiting = true;
    room.forgetIdle();
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
      await giveBack([...room.all()].flatMap((known) => room.dropWaiting(known)));
      const deadline = performance.now() + graceMs;
      while (room.sent() > 0 && performance.now() < deadline) await sleep(20);
      await fetch.close();
    },
  };
}

const roomOf = (room: DispatchRoom<ClaimedDelivery>, known: Known): Room => ({
  id: known.webhookId,
  // What is new goes behind what is waiting.
  free: known.backlog ? 0 : room.free(known),
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
