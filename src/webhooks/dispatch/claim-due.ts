import type { Ctx } from '../../core/ctx.ts';
import { fromNow } from '../../core/database/database-time.ts';
import { leaseSql } from '../../core/database/lease.ts';
import type { Sql } from '../../core/database/sql.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { countInHour } from '../deliveries/hourly-counts.ts';
import { maxConsecutiveFailures } from '../deliveries/delivery.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { pendingFrom } from './due-mark.ts';

// Unnamed on purpose: a plan cached while the table was empty would be reused. "any (array(…))" and the lateral joins
// make the planner use the indexes even if its row estimates are wrong.
export const unnamed = '';

/** The number of further deliveries of an endpoint or account that may be claimed. */
export interface FreeCapacity {
  id: string;
  free: number;
}

/** An endpoint with the due time before which it has no pending deliveries; null if unknown. */
export interface EndpointToClaim extends FreeCapacity {
  pendingFrom: Date | null;
}

/** The lease to write into claimed rows. */
export interface Lease {
  leaseToken: string;
  leaseMs: number;
}

const lease = leaseSql();

/** Maximum number of rows scanned for leases. Leased rows come first in due order, so a long backlog adds no cost. */
const maxScannedRows = 2_000;

// Leases of other processes matter only for failing endpoints.
const leasedCount = `
  select count(*) from (
    select lease_token, lease_expires_at from webhook_deliveries d where d.webhook_id = l.id and d.status = 'pending'
      and d.due_at >= l.pending_from
    order by due_at, id limit ${maxScannedRows}
  ) front where not ${lease.isFree}`;

const capacityOfFailing = `
  least(l.free, greatest(1, ${maxConsecutiveFailures} - l.consecutive_failures) - (${leasedCount}))`;

const claimWith = (capacityOfFailingEndpoint: string) => ({
  name: unnamed,
  text: `
    with locked as materialized (
      select w.id, w.user_id, w.active, w.revision, w.consecutive_failures, r.free,
        coalesce(r."pendingFrom", '-infinity') as pending_from
      from jsonb_to_recordset($3::jsonb) as r(id text, free int, "pendingFrom" timestamptz) join webhooks w on w.id = r.id and w.deleted_at is null
      order by w.id for share of w
    ),
    wanted as materialized (
      select l.*, case
        when not l.active then 1000
        when l.consecutive_failures = 0 then l.free
        else ${capacityOfFailingEndpoint} end as capacity,
        ${pendingFrom(`(
          select due_at from webhook_deliveries d where d.webhook_id = l.id and d.status = 'pending'
            and d.due_at >= l.pending_from order by due_at, id limit 1)`)} as next_pending_from
      from locked l
    ),
    due as materialized (
      select d.id, d.created_at, w.active, w.active and d.attempt_count - d.earlier_attempt_count < $4 as starts
      from wanted w cross join lateral (
        select id, created_at, attempt_count, earlier_attempt_count from webhook_deliveries
        where webhook_id = w.id and status = 'pending' and due_at >= w.pending_from and due_at <= now() and ${lease.isFree}
        order by due_at, id limit greatest(w.capacity, 0) for update skip locked
      ) d
    ),
    taken as (
      update webhook_deliveries d set
        status = case when j.starts then 'pending' when j.active then 'failed' else 'skipped' end,
        lease_token = case when j.starts then $1 end,
        lease_expires_at = case when j.starts then ${fromNow('$2')} end,
        attempt_count = d.attempt_count + case when j.starts then 1 else 0 end,
        attempted_at = case when j.starts then now() else d.attempted_at end,
        finished_at = case when not j.starts then now() end,
        -- The last holder died, or could not record the outcome.
        attempts = case when d.lease_token is null then d.attempts else d.attempts || jsonb_build_object(
          'startedAt', to_char(d.attempted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'status', null, 'durationMs', null, 'error', 'interrupted', 'excerpt', null) end
      from due j
      where d.id = j.id and d.created_at = j.created_at and d.id = any (array(select id from due))
        and d.created_at >= (select min(created_at) from due)
      returning d.id, d.created_at, d.webhook_id, d.event_id, d.event_type, d.status,
        d.attempt_count - d.earlier_attempt_count as attempt, j.starts
    )
    select w.id as "webhookId", w.user_id as "accountId", w.revision, w.consecutive_failures as "consecutiveFailures",
      w.capacity::int, w.next_pending_from as "pendingFrom", t.id, t.created_at as "createdAt", t.event_id as "eventId", t.event_type as "eventType", t.attempt,
      t.starts, t.status, now() as "attemptedAt"
    from wanted w left join taken t on t.webhook_id = w.id`,
});

const claimDueFreely = claimWith('0');
const claimDueExactly = claimWith(capacityOfFailing);

// Separate from the claim, so that a claim without results does not plan a query over all partitions.
const selectEvents = {
  name: unnamed,
  text: `select id, created_at as "createdAt", data::text as "dataText" from outbox_events where id = any ($1)`,
};

interface EventRow {
  id: string;
  createdAt: Date;
  dataText: string;
}

// Runs after the claim. A crash in between loses a count, which is acceptable.
const countEnded = {
  name: 'webhook_count_ended',
  text: countInHour(`(
    select webhook_id, status, 0 as attempts from unnest($1::text[], $2::text[]) as e (webhook_id, status)) ended`),
};

// A separate statement, so that the claim sees leases that were committed while this one waited for the lock.
const lockExactly = {
  name: unnamed,
  text: `select from webhooks where id = any ($1) order by id for no key update`,
};

/** The result of a claim for one endpoint. */
export interface ClaimReport {
  consecutiveFailures: number;
  /** Maximum number of deliveries that the claim could take. */
  capacity: number;
  /**
   * Number of due deliveries found, including those that ended here because the webhook is disabled or no attempts are
   * left.
   */
  found: number;
  /** Due time before which the endpoint has no pending deliveries. */
  pendingFrom: Date;
}

type DueRow = Omit<ClaimedDelivery, 'leaseToken' | 'claimedMs' | 'eventCreatedAt' | 'dataText'> & {
  capacity: number;
  pendingFrom: Date;
  /**
   * Whether the delivery is to be sent. Null, like all fields of the delivery, for an endpoint without due deliveries.
   */
  starts: boolean | null;
  status: string;
};

interface ClaimOptions extends Lease {
  endpoints: readonly EndpointToClaim[];
  maxAttempts: number;
}

export interface ClaimResult {
  claimed: ClaimedDelivery[];
  /** Reports by webhook; deleted webhooks are missing. */
  reports: Map<string, ClaimReport>;
}

/**
 * Claims due deliveries of endpoints, including those whose lease expired, and counts an attempt for each. Claims
 * nothing for endpoints that failed since their last success: use `claimExactly` for them.
 */
export const claimFreely = (sql: Sql, options: ClaimOptions): Promise<ClaimResult> => claim(sql, options, false);

/**
 * Claims due deliveries of endpoints that failed since their last success. All processes together hold at most as many
 * deliveries of an endpoint as it may still fail before it is disabled, so that nothing is sent after that.
 */
export const claimExactly = (ctx: Ctx, options: ClaimOptions): Promise<ClaimResult> =>
  inTransaction(ctx, async ({ sql }) => {
    await sql(lockExactly, [options.endpoints.map(({ id }) => id)]);
    return claim(sql, options, true);
  });

async function claim(sql: Sql, options: ClaimOptions, exactly: boolean): Promise<ClaimResult> {
  const { leaseToken, leaseMs, maxAttempts } = options;
  const claimedMs = performance.now();
  const requested = JSON.stringify(options.endpoints);
  const statement = exactly ? claimDueExactly : claimDueFreely;
  const rows = await sql<DueRow>(statement, [leaseToken, leaseMs, requested, maxAttempts]);
  const reports = new Map<string, ClaimReport>();
  for (const { webhookId, consecutiveFailures, capacity, pendingFrom, starts } of rows) {
    const { found = 0 } = reports.get(webhookId) ?? {};
    reports.set(webhookId, { consecutiveFailures, capacity, pendingFrom, found: found + (starts === null ? 0 : 1) });
  }
  const ended = rows.filter(({ starts }) => starts === false);
  if (ended.length > 0)
    await sql(countEnded, [ended.map(({ webhookId }) => webhookId), ended.map(({ status }) => status)]);
  const started = rows.filter(({ starts }) => starts);
  const events = await readEvents(sql, started);
  const claimed = started.map((row) => {
    const event = events.get(row.eventId);
    return Object.assign(row, {
      leaseToken,
      claimedMs,
      eventCreatedAt: event?.createdAt ?? row.createdAt,
      dataText: event?.dataText ?? null,
    });
  });
  return { claimed, reports };
}

async function readEvents(sql: Sql, rows: readonly { eventId: string }[]): Promise<Map<string, EventRow>> {
  if (rows.length === 0) return new Map();
  const events = await sql<EventRow>(selectEvents, [rows.map(({ eventId }) => eventId)]);
  return new Map(events.map((event) => [event.id, event]));
}

const release = {
  name: unnamed,
  text: `
    update webhook_deliveries set ${lease.release}, attempt_count = attempt_count - 1
    where id = any ($1) and lease_token = any ($2) and created_at between $3 and $4`,
};

/** Releases claimed deliveries that were not sent and reverts their attempt counts. */
export async function releaseDeliveries(sql: Sql, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  const times = deliveries.map(({ createdAt }) => createdAt.getTime());
  await sql(release, [
    deliveries.map(({ id }) => id),
    [...new Set(deliveries.map(({ leaseToken }) => leaseToken))],
    new Date(Math.min(...times)),
    new Date(Math.max(...times)),
  ]);
}

// A loose index scan: one index lookup per webhook with pending deliveries. The oldest delivery is found with the
// expression of its index.
const findDue = {
  name: unnamed,
  text: `
    -- PostgreSQL has computed it, in an earlier run.
    with recursive mark as (select $3::timestamptz as at),
    queue (webhook_id) as (
      (select webhook_id from webhook_deliveries where status = 'pending' and webhook_id > $1 and due_at >= (select at from mark) order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries d where d.status = 'pending' and d.webhook_id > q.webhook_id and d.due_at >= (select at from mark) order by d.webhook_id limit 1)
      from queue q where q.webhook_id is not null
    ),
    page as (select webhook_id from queue where webhook_id is not null limit $2),
    endpoints as (
      select p.webhook_id, w.user_id, w.deleted_at is null and exists (
        select from webhook_deliveries d
        where d.webhook_id = p.webhook_id and d.status = 'pending' and d.due_at >= (select at from mark) and d.due_at <= now() and ${lease.isFree}
      ) as due
      from page p join webhooks w on w.id = p.webhook_id
    )
    select ${pendingFrom(`(
      select due_at from webhook_deliveries where status = 'pending'
        and due_at - timestamptz '2000-01-01 00:00:00+00' >= (select at from mark) - timestamptz '2000-01-01 00:00:00+00'
      order by due_at - timestamptz '2000-01-01 00:00:00+00' limit 1)`)} as "pendingFrom",
      e.webhook_id as "webhookId", e.user_id as "accountId", e.due
    from (select) one left join endpoints e on true order by e.webhook_id`,
};

export interface DueEndpoint {
  webhookId: string;
  accountId: string;
  due: boolean;
}

export interface DueSearch {
  after: string;
  limit: number;
  /** Due time before which no delivery is pending; null if unknown. */
  from: Date | null;
}

export interface DuePage {
  endpoints: DueEndpoint[];
  /** Current due time before which no delivery is pending. */
  pendingFrom: Date;
}

const longAgo = new Date(0);

/**
 * Returns the next webhooks with pending deliveries, in id order after `after`, and whether each has a due delivery.
 */
export async function findDueEndpoints(sql: Sql, { after, limit, from }: DueSearch): Promise<DuePage> {
  const rows = await sql<DueEndpoint & { pendingFrom: Date }>(findDue, [after, limit, from ?? longAgo]);
  return {
    endpoints: rows.filter(({ webhookId }) => webhookId !== null),
    pendingFrom: rows[0]?.pendingFrom ?? longAgo,
  };
}
