import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../core/ctx.ts';
import { createSafeFetch, type Resolve } from '../../core/http/safe-fetch.ts';
import { describeError } from '../../core/tasks/task-errors.ts';
import { deliveriesKind } from '../deliveries/delivery.ts';
import { maxTotal } from './capacity-totals.ts';
import { releaseDeliveries } from './claim-due.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { DispatchCapacity } from './dispatch-capacity.ts';
import type { EndpointCapacity } from './endpoint-capacity.ts';
import { createEndpointCache } from './endpoints.ts';
import { createOutcomeWriter, type SentOutcome } from './outcome-writer.ts';
import type { FailureCount, DeliveryOutcome } from './record-outcomes.ts';
import { exchangeTimeoutMs, expiredOutcome, isSendable, sendDelivery } from './send-delivery.ts';

type Endpoint = EndpointCapacity<ClaimedDelivery>;

/** Sends claimed deliveries as their endpoints have capacity, and records the outcomes. */
export interface SendStage {
  /** Accepts deliveries claimed by a statement that began at `sinceMs`, a time from `performance.now()`. */
  accept(claimed: readonly ClaimedDelivery[], sinceMs: number): void;
  /**
   * Notes the failures of an endpoint in any process. When it starts failing, its waiting deliveries are released,
   * because they were claimed without the limit for failing endpoints.
   */
  noteFailures(endpoint: Endpoint, failures: number): void;
  /** Stops sending, releases waiting deliveries, and waits up to `graceMs` for responses. */
  stop(graceMs: number): Promise<void>;
}

interface SendStageOptions {
  newCtx: () => Ctx;
  leaseMs: number;
  capacity: DispatchCapacity<ClaimedDelivery>;
  resolve?: Resolve | undefined;
  /** Called when capacity became free or deliveries were released. */
  onCapacity: () => void;
}

/** Time reserved for recording an outcome before its lease expires. */
const recordingMs = 1_000;

export function createSendStage({ newCtx, leaseMs, capacity, resolve, onCapacity }: SendStageOptions): SendStage {
  const { allowPrivate, retryDelaysSeconds } = newCtx().config.webhooks;
  const fetch = createSafeFetch({ allowPrivate, maxConnectionsPerOrigin: maxTotal, resolve });
  const cache = createEndpointCache(newCtx);
  const writer = createOutcomeWriter<Endpoint>({ newCtx, leaseMs, onRecorded });
  let isStopped = false;

  function accept(claimed: readonly ClaimedDelivery[], sinceMs: number): void {
    const refused: ClaimedDelivery[] = [];
    const accepted = new Set<Endpoint>();
    for (const delivery of claimed) {
      const endpoint = capacity.endpoint(delivery.webhookId, delivery.accountId);
      // The delivery was claimed without the limit for failing endpoints, and the endpoint has failed since.
      if (delivery.consecutiveFailures === 0 && endpoint.hasFailedSince(sinceMs)) refused.push(delivery);
      else {
        endpoint.hold(delivery);
        accepted.add(endpoint);
      }
    }
    for (const endpoint of accepted) sendWaiting(endpoint);
    void release(refused);
  }

  function sendWaiting(endpoint: Endpoint): void {
    if (isStopped) return;
    void release(endpoint.releaseExpired(isTooLate));
    for (let next = endpoint.takeNext(); next; next = endpoint.takeNext()) void send(endpoint, next);
  }

  /** Whether an attempt could outlast the lease, because the process was suspended or the endpoint became slow. */
  const isTooLate = ({ claimedMs }: ClaimedDelivery) =>
    performance.now() - claimedMs > leaseMs - exchangeTimeoutMs - recordingMs;

  async function send(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<void> {
    const outcome = await attempt(delivery).catch((error: unknown) => {
      // The delivery stays leased and is claimed again when the lease expires.
      newCtx().log.error({ error: describeError(error), deliveryId: delivery.id }, 'could not attempt a delivery');
      return null;
    });
    const wasFailing = endpoint.isFailing;
    endpoint.noteResponse(outcome?.succeeded ?? null, outcome?.attempt.durationMs ?? null);
    if (!wasFailing && endpoint.isFailing) void release(endpoint.releaseWaiting());
    else if (endpoint.hasWaiting && !endpoint.isFailing) void release(endpoint.releaseExcess());
    if (outcome) writer.add(endpoint, outcome);
    else endpoint.noteRecorded(null);
    sendWaiting(endpoint);
  }

  /**
   * Sends a delivery. Returns null if that is impossible, because the webhook was deleted or its secrets cannot be
   * decrypted.
   */
  async function attempt(delivery: ClaimedDelivery): Promise<DeliveryOutcome | null> {
    const found = cache.get(delivery.webhookId, delivery.revision);
    const target = found instanceof Promise ? await found : found;
    if (!target) return null;
    if (!isSendable(delivery)) return expiredOutcome(delivery);
    return sendDelivery(delivery, target, { fetch, retryDelaysSeconds });
  }

  function onRecorded(
    batch: readonly SentOutcome<Endpoint>[],
    failures: ReadonlyMap<string, FailureCount> | null,
  ): void {
    const { tasks } = newCtx().ports;
    for (const { endpoint, outcome } of batch) {
      endpoint.noteRecorded(outcome.succeeded);
      if (outcome.retryMs !== null && !isStopped) tasks.wake(deliveriesKind, outcome.retryMs);
    }
    for (const endpoint of new Set(batch.map((one) => one.endpoint))) {
      const count = failures?.get(endpoint.webhookId);
      if (failures) noteFailures(endpoint, count?.failures ?? 0);
      if (count?.disabled) void release(endpoint.releaseWaiting());
      capacity.unblock(endpoint);
      sendWaiting(endpoint);
    }
    onCapacity();
  }

  function noteFailures(endpoint: Endpoint, failures: number): void {
    const wasFailing = endpoint.isFailing;
    endpoint.noteRecordedFailures(failures);
    if (!wasFailing && endpoint.isFailing) void release(endpoint.releaseWaiting());
  }

  /** Releases the leases of unsent deliveries. If that fails, the leases expire. */
  async function release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const { sql, log } = newCtx();
    await releaseDeliveries(sql, deliveries).catch((error: unknown) =>
      log.warn({ error: describeError(error) }, 'could not release deliveries'),
    );
    for (const { webhookId, accountId } of deliveries) {
      const endpoint = capacity.endpoint(webhookId, accountId);
      endpoint.noteBacklog();
      capacity.unblock(endpoint);
    }
    onCapacity();
  }

  return {
    accept,
    noteFailures,
    stop: async (graceMs) => {
      isStopped = true;
      await release([...capacity.all()].flatMap((endpoint) => endpoint.releaseWaiting()));
      const deadlineMs = performance.now() + graceMs;
      while (capacity.totals.sent > 0 && performance.now() < deadlineMs) await sleep(20);
      await fetch.close();
    },
  };
}
