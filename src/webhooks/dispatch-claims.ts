import type { Ctx } from '../core/ctx.ts';
import type { Sql } from '../core/sql.ts';
import { inTransaction } from '../core/transaction.ts';
import { maxConsecutiveFailures } from './delivery.ts';

// None of these statements has a name: they run once for many rows, and a plan made while a table was empty is kept
// for a named one. "any (array(…))" and the lateral joins hold the planner to the indexes, however wrong its guess is of
// how many rows a claim finds.
export const unnamed = '';

/** A delivery that this process holds and has to POST now. Its attempt is counted already. */
export interface ClaimedDelivery {
  id: string;
  leaseToken: string;
  webhookId: string;
  accountId: string;
  /** Of the webhook's row when it was claimed. */
  revision: number;
  /** Likewise. At 0 it was claimed freely, else as one of those that still fit before the attempt that disables. */
  consecutiveFailures: number;
  /** Of its round, from 1. */
  attempt: number;
  attemptedAt: Date;
  eventId: string;
  eventType: string;
  eventCreatedAt: Date;
  dataText: string;
}

export interface Room {
  id: string;
  free: number;
}

/** What a claim writes into the rows it takes: who holds them, and until when nobody else may. */
export interface Lease {
  now: Date;
  leaseToken: string;
  leaseUntil: Date;
}

/** Leased rows are the first in due order. How deep they are looked for, so that a long backlog costs no more. */
const leasedAmong = 2_000;

const claimDue = {
  name: unnamed,
  text: `
    with locked as materialized (
      select w.id, w.user_id, w.active, w.revision, w.consecutive_failures, r.free
      from jsonb_to_recordset($4::jsonb) as r(id text, free int) join webhooks w on w.id = r.id
      order by w.id for share of w
    ),
    wanted as materialized (
      select l.*, case
        when not l.active then 1000
        when l.consecutive_failures = 0 then l.free
        when $6 then least(l.free, greatest(1, ${maxConsecutiveFailures} - l.consecutive_failures) - (
          select count(*) from (
            select lease_token, lease_until from webhook_deliveries d where d.webhook_id = l.id and d.status = 'pending'
            order by due_at, id limit ${leasedAmong}
          ) front where lease_token is not null and lease_until > $1
        ))
        else 0 end as room
      from locked l
    ),
    due as materialized (
      select d.id, w.active, w.active and d.attempt_count - d.earlier_attempt_count < $5 as starts
      from wanted w cross join lateral (
        select id, attempt_count, earlier_attempt_count from webhook_deliveries
        where webhook_id = w.id and status = 'pending' and due_at <= $1 and (lease_token is null or lease_until <= $1)
        order by due_at, id limit greatest(w.room, 0) for update skip locked
      ) d
    ),
    taken as (
      update webhook_deliveries d set
        status = case when j.starts then 'pending' when j.active then 'failed' else 'skipped' end,
        lease_token = case when j.starts then $2 end,
        lease_until = case when j.starts then $3::timestamptz end,
        attempt_count = d.attempt_count + case when j.starts then 1 else 0 end,
        attempted_at = case when j.starts then $1 else d.attempted_at end,
        finished_at = case when not j.starts then $1::timestamptz end,
        -- Its last holder died, or could not write what happened.
        attempts = case when d.lease_token is null then d.attempts else d.attempts || jsonb_build_object(
          'startedAt', to_char(d.attempted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'status', null, 'durationMs', null, 'error', 'interrupted', 'excerpt', null) end
      from due j where d.id = j.id and d.id = any (array(select id from due))
      returning d.id, d.webhook_id, d.event_id, d.event_type, d.attempt_count - d.earlier_attempt_count as attempt, j.starts
    )
    select w.id as "webhookId", w.user_id as "accountId", w.revision, w.consecutive_failures as "consecutiveFailures",
      w.room::int, t.id, t.event_id as "eventId", t.event_type as "eventType", t.attempt, t.starts,
      e.created_at as "eventCreatedAt", e.data::text as "dataText"
    from wanted w left join taken t on t.webhook_id = w.id left join lateral (
      select created_at, data from outbox_events where id = t.event_id limit 1
    ) e on true`,
};

// A statement of its own: the next one counts leases that were taken while this one waited.
const lockExactly = {
  name: unnamed,
  text: `select from webhooks where id = any ($1) order by id for no key update`,
};

/** What a claim found out about one endpoint. */
interface ClaimedEndpoint {
  consecutiveFailures: number;
  /** How many it might have got. */
  room: number;
  /** Due rows found, those included that ended here: skipped while it is disabled, or out of attempts. */
  found: number;
}

type DueRow = Omit<ClaimedDelivery, 'leaseToken' | 'attemptedAt'> & { room: number; starts: boolean | null };

interface ClaimOptions extends Lease {
  endpoints: readonly Room[];
  maxAttempts: number;
}

export interface ClaimResult {
  claimed: ClaimedDelivery[];
  /** By webhook; those that are gone are missing. */
  endpoints: Map<string, ClaimedEndpoint>;
}

/**
 * Claims due deliveries of the endpoints, among them those whose holder died, and counts the attempt of each. An endpoint
 * that has failed since its last success gets nothing here: see `claimExactly`.
 */
export const claimFreely = (sql: Sql, options: ClaimOptions): Promise<ClaimResult> => claim(sql, options, false);

/**
 * Claims for endpoints that have failed since their last success. What all processes hold of one is never more than the
 * failures that are left until it is disabled, so that no POST comes after the one that disables it.
 */
export const claimExactly = (ctx: Ctx, options: ClaimOptions): Promise<ClaimResult> =>
  inTransaction(ctx, async ({ sql }) => {
    await sql(lockExactly, [options.endpoints.map(({ id }) => id)]);
    return claim(sql, options, true);
  });

async function claim(sql: Sql, options: ClaimOptions, exactly: boolean): Promise<ClaimResult> {
  const { now, leaseToken, leaseUntil, maxAttempts } = options;
  const asked = JSON.stringify(options.endpoints);
  const rows = await sql<DueRow>(claimDue, [now, leaseToken, leaseUntil, asked, maxAttempts, exactly]);
  const endpoints = new Map<string, ClaimedEndpoint>();
  for (const { webhookId, consecutiveFailures, room, starts } of rows) {
    const endpoint = endpoints.get(webhookId) ?? { consecutiveFailures, room, found: 0 };
    if (starts !== null) endpoint.found++;
    endpoints.set(webhookId, endpoint);
  }
  const claimed = rows.filter((row) => row.starts).map((row) => Object.assign(row, { leaseToken, attemptedAt: now }));
  return { claimed, endpoints };
}

const giveBack = {
  name: unnamed,
  text: `
    update webhook_deliveries set lease_token = null, lease_until = null, attempt_count = attempt_count - 1
    where id = any ($1) and lease_token = any ($2)`,
};

/** Ends the leases of deliveries that were claimed and not sent, and takes their attempts back. */
export const giveBackDeliveries = async (sql: Sql, deliveries: readonly ClaimedDelivery[]): Promise<void> =>
  void (await sql(giveBack, [deliveries.map(({ id }) => id), [...new Set(deliveries.map((d) => d.leaseToken))]]));

// One step of the index for each webhook that has anything pending, however much that is.
const findDue = {
  name: unnamed,
  text: `
    with recursive queue (webhook_id) as (
      (select webhook_id from webhook_deliveries where status = 'pending' and webhook_id > $2 order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries d where d.status = 'pending' and d.webhook_id > q.webhook_id order by d.webhook_id limit 1)
      from queue q where q.webhook_id is not null
    ),
    looked as (select webhook_id from queue where webhook_id is not null limit $3)
    select l.webhook_id as "webhookId", w.user_id as "accountId", exists (
      select from webhook_deliveries d where d.webhook_id = l.webhook_id and d.status = 'pending' and d.due_at <= $1
        and (d.lease_token is null or d.lease_until <= $1)
    ) as due
    from looked l join webhooks w on w.id = l.webhook_id
    order by l.webhook_id`,
};

export interface DueEndpoint {
  webhookId: string;
  accountId: string;
  due: boolean;
}

/** The next webhooks after `after` that have pending deliveries, at most `limit`, and whether any of them is due. */
export const findDueEndpoints = (sql: Sql, now: Date, after: string, limit: number): Promise<DueEndpoint[]> =>
  sql<DueEndpoint>(findDue, [now, after, limit]);
