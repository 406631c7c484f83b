import type { Ctx } from '../../core/ctx.ts';
import { fromNow } from '../../core/database/database-time.ts';
import { leaseSql } from '../../core/database/lease.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { type DeliveryAttempt, maxConsecutiveFailures } from '../deliveries/delivery.ts';
import { countInHour } from '../deliveries/hourly-counts.ts';
import { announceDisabled } from '../disabled-mail.ts';

/** The outcome of an attempt. */
export interface DeliveryOutcome {
  delivery: ClaimedDelivery;
  status: 'delivered' | 'failed' | 'pending';
  /** Milliseconds until the retry; null unless the status is `pending`. */
  retryMs: number | null;
  attempt: DeliveryAttempt;
  /**
   * Whether the endpoint accepted the delivery; null if the result does not depend on the endpoint, so that it affects
   * no failure count.
   */
  succeeded: boolean | null;
  /** Whether the endpoint responded with 410, which disables the webhook immediately. */
  gone: boolean;
}

const lease = leaseSql({ alias: 'd' });

const outcome = `
  outcome as (
    select * from jsonb_to_recordset($1::jsonb)
      as o(id text, "createdAt" timestamptz, token text, status text, "retryMs" float8, attempt jsonb, "webhookId" text)
  )`;

// Bounds the creation time by parameters, so that the plan includes only the partitions of the batch.
const recording = `
  update webhook_deliveries d set status = o.status, ${leaseSql().release}, attempts = d.attempts || o.attempt,
    due_at = case when o."retryMs" is null then d.due_at else ${fromNow(0)} + o."retryMs" * interval '1 millisecond' end,
    finished_at = case when o.status <> 'pending' then now() end
  from outcome o
  where d.id = o.id and d.created_at = o."createdAt" and ${lease.isOwnedBy('o.token')}
    and d.id = any (array(select id from outcome)) and d.created_at between $2 and $3`;

const recorded = `returning d.webhook_id, o.status, 1 as attempts`;

// Webhooks are locked before deliveries and in id order, to prevent deadlocks.
const recordSuccesses = {
  name: '',
  text: `
    with ${outcome},
    recovered as materialized (
      select id from webhooks where consecutive_failures > 0 and id in (select "webhookId" from outcome where status = 'delivered')
      order by id for no key update
    ),
    noted as (${recording} and (select count(*) from recovered) >= 0 ${recorded}),
    counted as (${countInHour('noted')})
    update webhooks set consecutive_failures = 0 where id = any (array(select id from recovered))`,
};

const record = { name: '', text: `with ${outcome}, noted as (${recording} ${recorded}) ${countInHour('noted')}` };

const count = {
  name: '',
  text: `
    with tally as (
      select * from jsonb_to_recordset($1::jsonb) as t(id text, leading_failures int, trailing_failures int, reset boolean, gone boolean)
    ),
    locked as (
      select w.id, w.active, case when t.reset then t.trailing_failures else w.consecutive_failures + t.leading_failures end as failures,
        w.consecutive_failures + t.leading_failures >= $2 or t.trailing_failures >= $2 as exhausted, t.gone
      from webhooks w join tally t on t.id = w.id order by w.id for update of w
    )
    update webhooks w set consecutive_failures = l.failures,
      active = w.active and not l.exhausted and not l.gone,
      disabled_reason = case when l.active and l.gone then 'gone' when l.active and l.exhausted then 'failures' else w.disabled_reason end,
      disabled_at = case when l.active and (l.gone or l.exhausted) then now() else w.disabled_at end
    from locked l where w.id = l.id
    returning w.id, w.consecutive_failures as failures, l.active and not w.active as disabled`,
};

/** The failures of a webhook after a batch. */
export interface FailureCount {
  id: string;
  /** Number of consecutive failures. */
  failures: number;
  /** Whether this batch disabled the webhook. */
  disabled: boolean;
}

/**
 * Records outcomes, in a single statement if all succeeded. An outcome whose lease was lost changes nothing. Returns
 * the failure count of each webhook in the batch; the result is empty if all succeeded.
 */
export async function recordOutcomes(
  ctx: Ctx,
  outcomes: readonly DeliveryOutcome[],
): Promise<Map<string, FailureCount>> {
  const times = outcomes.map(({ delivery }) => delivery.createdAt.getTime());
  const values = [JSON.stringify(outcomes.map(toRow)), new Date(Math.min(...times)), new Date(Math.max(...times))];
  if (outcomes.every((outcome) => outcome.succeeded === true)) {
    await ctx.sql(recordSuccesses, values);
    return new Map();
  }
  return inTransaction(ctx, async (tx) => {
    const counted = await tx.sql<FailureCount>(count, [JSON.stringify(tally(outcomes)), maxConsecutiveFailures]);
    await tx.sql(record, values);
    for (const { id, disabled } of counted) if (disabled) await announceDisabled(tx, id);
    return new Map(counted.map((one) => [one.id, one]));
  });
}

const toRow = ({ delivery, status, retryMs, attempt }: DeliveryOutcome) => ({
  id: delivery.id,
  createdAt: delivery.createdAt,
  token: delivery.leaseToken,
  webhookId: delivery.webhookId,
  status,
  retryMs,
  attempt,
});

interface Tally {
  id: string;
  /** Failures before the first success in the batch. `trailing_failures` are those after the last success. */
  leading_failures: number;
  trailing_failures: number;
  reset: boolean;
  gone: boolean;
}

/** Computes how a batch, in its order, changes the failure count of each webhook. */
function tally(outcomes: readonly DeliveryOutcome[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { delivery, succeeded, gone } of outcomes) {
    const id = delivery.webhookId;
    const current = tallies.get(id) ?? { id, leading_failures: 0, trailing_failures: 0, reset: false, gone: false };
    tallies.set(id, current);
    if (gone) current.gone = true;
    if (succeeded === true) {
      current.reset = true;
      current.trailing_failures = 0;
    } else if (succeeded === false) {
      if (current.reset) current.trailing_failures++;
      else current.leading_failures++;
    }
  }
  return [...tallies.values()];
}
