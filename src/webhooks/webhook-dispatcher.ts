import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../core/ctx.ts';
import { outboxKind } from '../core/outbox.ts';
import { createSafeFetch, type Resolve } from '../core/safe-fetch.ts';
import { describeError } from '../core/task-errors.ts';
import { deliver, expired } from './deliver.ts';
import {
  claimExactly,
  claimFreely,
  type ClaimedDelivery,
  findDueEndpoints,
  giveBackDeliveries,
} from './dispatch-claims.ts';
import { createEndpoints } from './dispatch-endpoints.ts';
import { adoptEvents, fanOutEvents, type FanOutResult } from './dispatch-fan-out.ts';
import type { Counted, Outcome } from './dispatch-outcomes.ts';
import { createDispatchRoom, type EndpointRoom, isFailing, maxTotal } from './dispatch-room.ts';
import { deliveriesKind } from './delivery.ts';
import { createFanOutPace, maxEventsPerFanOut, patienceMs } from './fan-out-pace.ts';
import { createOutcomeWriter, type WrittenOutcome } from './outcome-writer.ts';

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
const endpointsPerLook = 5_000;

type Known = EndpointRoom<ClaimedDelivery>;

export function createWebhookDispatcher({ newCtx, resolve }: DispatcherOptions): WebhookDispatcher {
  const { allowPrivate, retryDelaysSeconds } = newCtx().config.webhooks;
  const fetch = createSafeFetch({ allowPrivate, maxConnectionsPerOrigin: maxTotal, resolve });
  const room = createDispatchRoom<ClaimedDelivery>();
  const pace = createFanOutPace(room);
  const endpoints = createEndpoints(newCtx);
  const { clock } = newCtx();
  const now = () => clock.now();
  const writer = createOutcomeWriter<Known>({ newCtx, leaseMs, onWritten: afterWrite });
  let eventsWaiting = false;
  let lookWaiting = false;
  let lookAfter = '';
  let pumping: Promise<void> | undefined;
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

  /** How many events may be taken from the outbox now. */
  const eventsToTake = () => (eventsWaiting && room.totalFree() > 0 ? pace.maxEvents(now()) : 0);

  const hasWork = () => eventsToTake() > 0 || lookWaiting || room.ready().length > 0;

  async function claimAll(): Promise<void> {
    for (;;) {
      if (stopped) return;
      const past = room.totalFree() > 0 ? pace.toPass() : null;
      if (past && (await takeEvents(maxEventsPerFanOut, past)).taken === maxEventsPerFanOut) pace.told();
      const maxEvents = eventsToTake();
      if (maxEvents > 0) await claimNewEvents(maxEvents);
      if (lookWaiting) await lookForDue();
      const ready = room.ready();
      if (ready.length > 0) await claimBacklog(ready);
      if (maxEvents === 0 && !lookWaiting && ready.length === 0) return;
    }
  }

  const lease = () => ({ now: now(), leaseToken: randomUUID(), leaseUntil: new Date(now().getTime() + leaseMs) });

  async function claimNewEvents(maxEvents: number): Promise<void> {
    eventsWaiting = false;
    try {
      const result = await takeEvents(maxEvents, null);
      const touched = [...result.claimed, ...result.left].map((one) => room.endpoint(one.webhookId, one.accountId));
      pace.note(maxEvents, result, new Set(touched));
      const adopted = result.taken === 0 ? await adoptEvents(newCtx().sql, now(), maxEventsPerFanOut) : 0;
      if (result.taken === maxEvents || adopted > 0) eventsWaiting = true;
      if (eventsWaiting) setTimeout(pump, patienceMs).unref();
    } catch (error) {
      eventsWaiting = true;
      throw error;
    }
  }

  async function takeEvents(maxEvents: number, past: readonly string[] | null): Promise<FanOutResult> {
    const since = performance.now();
    const result = await fanOutEvents(newCtx().sql, {
      ...lease(),
      maxEvents,
      // What is new goes behind what is waiting.
      endpoints: room
        .known()
        .map((known) => ({ id: known.webhookId, free: known.backlog || isFailing(known) ? 0 : room.free(known) })),
      accounts: room.busyAccounts(),
      totalFree: room.totalFree(),
      past,
    });
    for (const { webhookId, accountId, consecutiveFailures } of result.left) {
      const known = room.endpoint(webhookId, accountId);
      known.backlog = true;
      if (consecutiveFailures > 0) learnFailures(known, consecutiveFailures);
    }
    takeAll(result.claimed, since);
    return result;
  }

  async function claimBacklog(ready: readonly Known[]): Promise<void> {
    const shares = room.share(ready);
    for (const exactly of [false, true]) {
      const asked = shares.filter(({ known }) => isFailing(known) === exactly);
      if (asked.length === 0) continue;
      const since = performance.now();
      const ctx = newCtx();
      const options = {
        ...lease(),
        endpoints: asked.map(({ known, free }) => ({ id: known.webhookId, free })),
        maxAttempts: retryDelaysSeconds.length + 1,
      };
      const { claimed, endpoints: answers } = await (exactly
        ? claimExactly(ctx, options)
        : claimFreely(ctx.sql, options));
      for (const { known, free } of asked) {
        const answer = answers.get(known.webhookId);
        if (!answer || answer.found < answer.room) known.backlog = false;
        else if (exactly && answer.room < free) room.block(known);
        if (answer && (answer.consecutiveFailures > 0 || known.failedAt < since))
          learnFailures(known, answer.consecutiveFailures);
      }
      takeAll(claimed, since);
    }
  }

  async function lookForDue(): Promise<void> {
    lookWaiting = false;
    const looked = await findDueEndpoints(newCtx().sql, now(), lookAfter, endpointsPerLook);
    lookAfter = looked.length === endpointsPerLook ? (looked.at(-1)?.webhookId ?? '') : '';
    for (const { webhookId, accountId, due } of looked) if (due) room.endpoint(webhookId, accountId).backlog = true;
  }

  /** `since` is when they were asked for. What was claimed freely is given back when its endpoint has failed meanwhile. */
  function takeAll(claimed: readonly ClaimedDelivery[], since: number): void {
    const refused: ClaimedDelivery[] = [];
    const taken = new Set<Known>();
    for (const delivery of claimed) {
      const known = room.endpoint(delivery.webhookId, delivery.accountId);
      if (delivery.consecutiveFailures === 0 && known.failedAt >= since) {
        refused.push(delivery);
        continue;
      }
      room.hold(known, delivery);
      taken.add(known);
    }
    for (const known of taken) sendNext(known);
    void giveBack(refused);
  }

  function sendNext(known: Known): void {
    if (stopped) return;
    for (let delivery = room.next(known); delivery; delivery = room.next(known)) void send(known, delivery);
  }

  async function send(known: Known, delivery: ClaimedDelivery): Promise<void> {
    let outcome: Outcome | null = null;
    try {
      outcome = await attempt(delivery);
    } catch (error) {
      // It stays leased, and comes again when the lease runs out.
      newCtx().log.error({ error: describeError(error), deliveryId: delivery.id }, 'an attempt could not be made');
    }
    const wasFailing = isFailing(known);
    room.answered(known, outcome?.succeeded ?? null, outcome?.attempt.durationMs ?? null);
    if (!wasFailing && isFailing(known)) void giveBack(room.dropWaiting(known));
    else if (known.waiting.length > 0 && !isFailing(known)) void giveBack(room.dropExcess(known));
    if (outcome) writer.add(known, outcome);
    else room.written(known, null);
    sendNext(known);
  }

  /** Null when it can't be made: the webhook is gone, and its deliveries with it, or its secrets can't be read. */
  async function attempt(delivery: ClaimedDelivery): Promise<Outcome | null> {
    const found = endpoints.get(delivery.webhookId, delivery.revision);
    const endpoint = found instanceof Promise ? await found : found;
    if (!endpoint) return null;
    if (delivery.dataText === null) return expired(delivery);
    return deliver(delivery, endpoint, { fetch, now, retryDelaysSeconds });
  }

  function afterWrite(batch: readonly WrittenOutcome<Known>[], counted: ReadonlyMap<string, Counted> | null): void {
    const { tasks } = newCtx().ports;
    for (const { endpoint, outcome } of batch) {
      room.written(endpoint, outcome.succeeded);
      if (outcome.dueAt && !stopped) tasks.wake(deliveriesKind, outcome.dueAt);
    }
    for (const known of new Set(batch.map(({ endpoint }) => endpoint))) {
      const now = counted?.get(known.webhookId);
      if (counted) learnFailures(known, now?.failures ?? 0);
      if (now?.disabled) void giveBack(room.dropWaiting(known));
      room.unblock(known);
      sendNext(known);
    }
    pump();
  }

  /** What an endpoint was to get without a limit is not sent once it fails, here or elsewhere. */
  function learnFailures(known: Known, failures: number): void {
    const wasFailing = isFailing(known);
    known.failures = failures;
    if (!wasFailing && isFailing(known)) void giveBack(room.dropWaiting(known));
  }

  /** What was claimed and must not be sent now. Should it fail, the leases run out. */
  async function giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const { sql, log } = newCtx();
    await giveBackDeliveries(sql, deliveries).catch((error: unknown) =>
      log.warn({ error: describeError(error) }, 'could not give deliveries back'),
    );
    for (const { webhookId, accountId } of deliveries) {
      const known = room.endpoint(webhookId, accountId);
      known.backlog = true;
      room.unblock(known);
    }
    pump();
  }

  function tick(): void {
    eventsWaiting = true;
    lookWaiting = true;
    pace.told();
    room.unblock();
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
      if (kind === outboxKind) {
        eventsWaiting = true;
        pace.told();
      } else lookWaiting = true;
      // Perhaps the others have had their answers.
      room.unblock();
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
