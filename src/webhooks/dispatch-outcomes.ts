import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/transaction.ts';
import type { ClaimedDelivery } from './dispatch-claims.ts';
import { type DeliveryAttempt, maxConsecutiveFailures } from './delivery.ts';
import { announceDisabled } from './disabled-mail.ts';

/** How an attempt ended. */
export interface Outcome {
  delivery: ClaimedDelivery;
  status: 'delivered' | 'failed' | 'pending';
  /** When it is tried again; only with `pending`. */
  dueAt: Date | null;
  attempt: DeliveryAttempt;
  /** Whether it counts for or against the endpoint; null when it says nothing about it. */
  succeeded: boolean | null;
  /** The endpoint said that it is gone for good. */
  gone: boolean;
}

const outcome = `
  outcome as (
    select * from jsonb_to_recordset($1::jsonb)
      as o(id text, token text, status text, "dueAt" timestamptz, attempt jsonb, "webhookId" text)
  )`;

const recording = `
  update webhook_deliveries d set status = o.status, due_at = coalesce(o."dueAt", d.due_at), lease_token = null, lease_until = null,
    attempts = d.attempts || o.attempt, finished_at = case when o.status <> 'pending' then $2::timestamptz end
  from outcome o where d.id = o.id and d.lease_token = o.token and d.id = any (array(select id from outcome))`;

// Webhooks are locked before deliveries, and in one order, so that two processes never wait for each other.
const recordSuccesses = {
  name: '',
  text: `
    with ${outcome},
    recovered as materialized (
      select id from webhooks where consecutive_failures > 0 and id in (select "webhookId" from outcome where status = 'delivered')
      order by id for no key update
    ),
    noted as (${recording} and (select count(*) from recovered) >= 0)
    update webhooks set consecutive_failures = 0 where id = any (array(select id from recovered))`,
};

const record = { name: '', text: `with ${outcome} ${recording}` };

const count = {
  name: '',
  text: `
    with tally as (
      select * from jsonb_to_recordset($1::jsonb) as t(id text, leading_failures int, trailing_failures int, reset boolean, gone boolean)
    ),
    locked as (
      select w.id, w.active, case when t.reset then t.trailing_failures else w.consecutive_failures + t.leading_failures end as failures,
        w.consecutive_failures + t.leading_failures >= $3 or t.trailing_failures >= $3 as exhausted, t.gone
      from webhooks w join tally t on t.id = w.id order by w.id for update of w
    )
    update webhooks w set consecutive_failures = l.failures,
      active = w.active and not l.exhausted and not l.gone,
      disabled_reason = case when l.active and l.gone then 'gone' when l.active and l.exhausted then 'failures' else w.disabled_reason end,
      disabled_at = case when l.active and (l.gone or l.exhausted) then $2 else w.disabled_at end
    from locked l where w.id = l.id
    returning w.id, w.consecutive_failures as failures, l.active and not w.active as disabled`,
};

/** What a webhook's failures have come to. */
export interface Counted {
  id: string;
  /** In a row. */
  failures: number;
  /** It gets nothing any more, since now. */
  disabled: boolean;
}

/**
 * Writes outcomes, in one statement as long as nothing failed. An outcome whose lease was lost changes nothing. Answers
 * what the failures of every webhook that had one have come to.
 */
export async function recordOutcomes(ctx: Ctx, outcomes: readonly Outcome[]): Promise<Map<string, Counted>> {
  const now = ctx.clock.now();
  const values = [JSON.stringify(outcomes.map(toRow)), now];
  if (outcomes.every((outcome) => outcome.succeeded === true)) {
    await ctx.sql(recordSuccesses, values);
    return new Map();
  }
  return inTransaction(ctx, async (tx) => {
    const counted = await tx.sql<Counted>(count, [JSON.stringify(tally(outcomes)), now, maxConsecutiveFailures]);
    await tx.sql(record, values);
    for (const { id, disabled } of counted) if (disabled) await announceDisabled(tx, id);
    return new Map(counted.map((one) => [one.id, one]));
  });
}

const toRow = ({ delivery, status, dueAt, attempt }: Outcome) => ({
  id: delivery.id,
  token: delivery.leaseToken,
  webhookId: delivery.webhookId,
  status,
  dueAt,
  attempt,
});

interface Tally {
  id: string;
  /** Failures before the first success, and after the last one. */
  leading_failures: number;
  trailing_failures: number;
  reset: boolean;
  gone: boolean;
}

/** What a batch, in its order, does to the count of each webhook. */
function tally(outcomes: readonly Outcome[]): Tally[] {
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
