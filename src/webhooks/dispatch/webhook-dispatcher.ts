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
 * Delivers the events of the outbox to the webhooks that subscribe to them, at least once. Any number of processes may
 * run a dispatcher. States of a delivery, and the stages that change them:
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
 * A redelivery on request leads from any end back to pending. Claim stage: claim-stage.ts; the others: send-stage.ts.
 * Capacity (endpoint-capacity.ts) couples them: an endpoint is claimed and sent only what it responds to in time.
 */
export interface WebhookDispatcher {
  /** The kinds under which `ctx.ports.tasks` wakes it: new events, and deliveries that are due. */
  kinds: readonly string[];
  start(): void;
  wake(kind: string): void;
  /** Claims no more and waits up to `graceMs` for responses; what is left is claimed again when its lease expires. */
  stop(graceMs: number): Promise<void>;
}

interface DispatcherOptions {
  /** A fresh Ctx of the system actor. */
  newCtx: () => Ctx;
  /** How endpoints' names become addresses; the system's resolver when omitted. */
  resolve?: Resolve;
}

/** Longer than any attempt and the recording of its outcome. After it the deliveries of a dead process are claimed again. */
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
  const poll = createDuePoll(lookForWork, (error) =>
    newCtx().log.warn({ error: describeError(error) }, 'cannot look for deliveries'),
  );
  let isStopped = true;

  /** Runs the claim stage, once at a time. */
  function claim(): void {
    if (isStopped) return;
    claiming ??= claimStage
      .claimAll(() => isStopped)
      .then(
        () => {
          claiming = undefined;
          // Work that arrived after the last look.
          if (claimStage.hasWork()) claim();
        },
        (error: unknown) => {
          claiming = undefined;
          newCtx().log.warn({ error: describeError(error) }, 'cannot claim deliveries');
        },
      );
  }

  async function lookForWork(): Promise<number | null> {
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
      // Other processes may have received responses meanwhile.
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
