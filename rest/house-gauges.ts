import { Gauge, type Registry } from 'prom-client';
import { findLastComparison } from '../src/billing/compare-accounts.ts';
import { countInstances } from '../src/conversations/instances.ts';
import type { Ctx } from '../src/core/ctx.ts';
import { measureQueues } from '../src/core/queue-depths.ts';
import { describeError } from '../src/core/task-errors.ts';
import { countStrays } from '../src/knowledge/remove-strays.ts';
import { measureDueDeliveries } from '../src/webhooks/due-deliveries.ts';

/** Several scrapers, or one that is in a hurry, cost the database no more than this. */
const readAtMostEveryMs = 1_000;

/**
 * Gauges of what stands in the database, so that any one instance can be asked for all. Answers the function that reads
 * them anew; while the database does not answer they are absent, because no figure is better than an old one.
 */
export function createHouseGauges(registry: Registry, newCtx: () => Ctx): () => Promise<void> {
  const gauges: { gauge: Gauge; isLabelled: boolean }[] = [];
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> => {
    const made = new Gauge({ name, help, labelNames, registers: [registry] });
    gauges.push({ gauge: made as Gauge, isLabelled: labelNames.length > 0 });
    return made;
  };
  const tasks = gauge('tasks', 'Tasks by kind; due ones could be done now. Stops at 1,000 a kind.', 'kind', 'state');
  const oldestTask = gauge('tasks_oldest_due_age_seconds', 'How long the oldest due task has been due.', 'kind');
  const failedAt = gauge('tasks_last_failure_timestamp_seconds', 'When a task was last given up.', 'kind');
  const outbox = gauge('outbox_events_undispatched', 'Events that no dispatcher has seen. Stops at 1,000.');
  const oldestEvent = gauge('outbox_oldest_undispatched_age_seconds', 'Age of the oldest of them.');
  const deliveries = gauge('webhook_deliveries_due', 'Deliveries that could be sent now. Stops at 1,000.');
  const oldestDelivery = gauge(
    'webhook_deliveries_oldest_due_age_seconds',
    'How long the oldest of them has been due.',
  );
  const instances = gauge('instances_alive', 'Instances that have been heard of in the last ten seconds.');
  const compared = gauge(
    'billing_comparison_accounts',
    'Accounts of the last comparison with the payment processor: drifted ones differed and were mended, failed ones could not be compared.',
    'outcome',
  );
  const comparedAt = gauge('billing_comparison_timestamp_seconds', 'When the last one ended; 0 before the first.');
  const strays = gauge(
    'knowledge_strays_removed',
    'Files, vectors and chunks without a document that the check has ever removed; not zero is worth a look.',
    'kind',
  );

  async function read(ctx: Ctx): Promise<void> {
    const depths = await measureQueues(ctx);
    const due = await measureDueDeliveries(ctx);
    const alive = await countInstances(ctx.sql);
    const comparison = await findLastComparison(ctx);
    const removed = await countStrays(ctx);
    forget();
    for (const { kind, state, count } of depths.tasks) tasks.set({ kind, state }, count);
    for (const { kind, seconds } of depths.oldestDue) oldestTask.set({ kind }, seconds);
    for (const { kind, at } of depths.lastFailure) failedAt.set({ kind }, at.getTime() / 1_000);
    outbox.set(depths.outbox.count);
    oldestEvent.set(depths.outbox.oldestSeconds);
    deliveries.set(due.count);
    oldestDelivery.set(due.oldestSeconds);
    instances.set(alive);
    for (const outcome of ['compared', 'drifted', 'failed'] as const)
      compared.set({ outcome }, comparison?.[outcome] ?? 0);
    comparedAt.set((comparison?.finishedAt.getTime() ?? 0) / 1_000);
    for (const { kind, removed: count } of removed) strays.set({ kind }, count);
  }

  function forget(): void {
    // Without labels a reset is a zero, which would be a figure.
    for (const { gauge: one, isLabelled } of gauges) {
      if (isLabelled) one.reset();
      else one.remove();
    }
  }

  let last = { at: -Infinity, done: Promise.resolve() };
  return () => {
    if (performance.now() - last.at < readAtMostEveryMs) return last.done;
    const ctx = newCtx();
    // OpenTelemetry asks once more at the very end.
    if (ctx.pool.ended) return Promise.resolve(forget());
    const done = read(ctx).catch((error: unknown) => {
      forget();
      ctx.log.warn({ error: describeError(error) }, 'could not read the figures of the database');
    });
    last = { at: performance.now(), done };
    return done;
  };
}
