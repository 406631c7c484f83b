import { BusinessClock } from './database/business-clock.entity.ts';
import type { Feature } from './feature.ts';
import { idempotencyKeyExpiry, rateLimitExpiry } from './http/http.expiry.ts';
import { encryptedAnswers } from './http/idempotency.ts';
import { type ColumnRange, type ColumnRest, reEncryptRange, startReEncryption } from './re-encryption.ts';
import { runEach } from './run-each.ts';
import type { TaskRun } from './tasks/task-handler.ts';
import type { Ctx } from './ctx.ts';
import { Task } from './tasks/task.entity.ts';
import { OutboxEvent } from './outbox-event.entity.ts';
import { OutboxEntry } from './outbox-entry.entity.ts';
import { IdempotencyKey } from './http/idempotency-key.entity.ts';
import { RateLimitCounter } from './http/rate-limit-counter.entity.ts';
import { failedTaskExpiry } from './tasks/task.expiry.ts';
import { taskGauges } from './tasks/task.gauges.ts';

declare module './tasks/tasks.ts' {
  interface TaskPayloads {
    'service.remove-expired': object;
    'service.re-encrypt': Partial<ColumnRest>;
    'service.re-encrypt-range': ColumnRange;
  }
}

/** Declarations of core in the form of a feature: maintenance jobs over the lists of all features. */
export const coreFeature: Feature = {
  name: 'core',
  entities: [Task, OutboxEvent, OutboxEntry, IdempotencyKey, RateLimitCounter, BusinessClock],
  idPrefixes: { event: 'evt_' },
  jobs: [
    { kind: 'service.remove-expired', everyMs: 3_600_000, atStart: true, concurrency: 1, handle: removeExpired },
    {
      // Runs at each start, because keys change with a restart, and daily for values that other processes have written
      // with the old key in the meantime.
      kind: 'service.re-encrypt',
      everyMs: 86_400_000,
      atStart: true,
      concurrency: 1,
      timeoutMs: 60_000,
      handle: startReEncryption,
    },
    { kind: 'service.re-encrypt-range', concurrency: 2, timeoutMs: 60_000, handle: reEncryptRange },
  ],
  encryptedColumns: [encryptedAnswers],
  expiries: [idempotencyKeyExpiry, failedTaskExpiry, rateLimitExpiry],
  gauges: [taskGauges],
};

async function removeExpired(ctx: Ctx, _payload: object, { signal }: TaskRun): Promise<void> {
  const removed: Record<string, number> = {};
  await runEach(ctx, ctx.catalog.expiries, signal, async (expiry) => {
    removed[expiry.name] = await expiry.remove(ctx, signal);
  });
  ctx.log.info(removed, 'removed expired rows');
}
