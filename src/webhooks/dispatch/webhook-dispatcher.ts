import type { Ctx } from '../../core/ctx.ts';
import type { Resolve } from '../../core/http/safe-fetch.ts';
import { outboxKind } from '../../core/outbox.ts';
import { createDuePoll } from '../../core/waiting/due-poll.ts';
import { describeError } from '../../core/tasks/task-errors.ts';
import { deliveriesKind } from '../deliveries/delivery.ts';
import { createBurstPace } from './burst-pace.ts';
import { createClaimStage } from './claim-stage.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { createDispatchCapacity } from './dispatch-capacity.ts';
import { createSendStage } from './send-stage.ts';

/**
 * Delivers events from the outbox to the subscribed webhooks, at least once. Any number of processes may run a
 * dispatcher. The states of a delivery and the stages that change them:
 *
 *     outbox event
 *          │ fan out: one delivery a webhook, leased at once if its endpoint has capacity
 *          ▼
 *       pending ────────── claim ─────────► leased ── prepare, send ──► response
 *       ▲  ▲  │                               │                            │
 *       │  │  │ the webhook is disabled       │ released unsent,           │ record outcome
 *       │  │  ▼                               │ or the lease expires       │
 *       │  │ skipped                          │                            ├─► delivered
 *       │  └──────────────────────────────────┘                            ├─► failed (no attempts left, or 410)
 *       │                                                                  │
 *       └──────────────── retry, due later ◄───────────────────────────────┘
 *
 * A redelivery on request moves a delivery from any final state back to pending. claim-stage.ts implements the claim
 * stage, send-stage.ts the others. They share the capacity of endpoints (endpoint-capacity.ts), which limits claims to
 * what an endpoint handles in time.
 */
export interface WebhookDispatcher {
  /** Kinds under which `ctx.ports.tasks` wakes the dispatcher: new events and due deliveries. */
  kinds: readonly string[];
  start(): void;
  wake(kind: string): void;
  /**
   * Stops claiming and waits up to `graceMs` for responses. Remaining deliveries are claimed again when their leases
   * expire.
   */
  stop(graceMs: number): Promise<void>;
}

interface DispatcherOptions {
  /** Creates a context of the system actor. */
  newCtx: () => Ctx;
  /** Resolver for the host names of endpoints; the system's resolver if omitted. */
  resolve?: Resolve;
}

/**
 * Duration of a lease: longer than an attempt and the recording of its outcome. Deliveries of a crashed process are
 * claimed again after it.
 */
const leaseMs = 15_000;

export function createWebhookDispatcher({ newCtx, resolve }: DispatcherOptions): WebhookDispatcher {
  const capacity = createDispatchCapacity<ClaimedDelivery>();
  const sendStage = createSendStage({ newCtx, leaseMs, capacity, resolve, onCapacity: claim });
  const claimStage = createClaimStage({
    newCtx,
    leaseMs,
    capacity,
    pace: createBurstPace(capacity),
    onClaimed: (claimed, sinceMs) => sendStage.accept(claimed, sinceMs),
    onFailures: (endpoint, failures) => sendStage.noteFailures(endpoint, failures),
    onWaiting: claim,
  });
  let claiming: Promise<void> | undefined;
  const poll = createDuePoll(checkForWork, (error) =>
    newCtx().log.warn({ error: describeError(error) }, 'could not look for deliveries, will retry'),
  );
  let isStopped = true;

  /** Runs the claim stage unless it is already running. */
  function claim(): void {
    if (isStopped) return;
    claiming ??= claimStage
      .claimAll(() => isStopped)
      .then(
        () => {
          claiming = undefined;
          // Work may have arrived after the claim stage's last check.
          if (claimStage.hasWork()) claim();
        },
        (error: unknown) => {
          claiming = undefined;
          newCtx().log.warn({ error: describeError(error) }, 'could not claim deliveries, will retry');
        },
      );
  }

  async function checkForWork(): Promise<number | null> {
    capacity.unblock();
    capacity.evictIdle();
    const dueInMs = await claimStage.findWork();
    claim();
    return capacity.totals.sent > 0 || claimStage.hasWork() ? 0 : dueInMs;
  }

  return {
    kinds: [outboxKind, deliveriesKind],
    start: () => {
      isStopped = false;
      poll.start();
    },
    wake: (kind) => {
      if (kind === outboxKind) claimStage.noteEvents();
      else claimStage.noteDue();
      // Other processes may have received responses in the meantime.
      capacity.unblock();
      poll.note();
      claim();
    },
    stop: async (graceMs) => {
      isStopped = true;
      await poll.stop();
      await claiming;
      await sendStage.stop(graceMs);
    },
  };
}
