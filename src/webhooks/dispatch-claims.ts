import type { Sql } from '../core/sql.ts';
import { initialRoom, maxPerAccount } from './dispatch-room.ts';
import { maxConsecutiveFailures } from './delivery.ts';

// None of these statements has a name: they run once for many rows, and a plan made while a table was empty is kept
// for a named one. "any (array(…))" and the lateral joins hold the planner to the indexes, however wrong its guess is of
// how many rows a claim finds.
const unnamed = '';

/** A delivery that this process holds and has to POST now. Its attempt is counted already. */
export interface ClaimedDelivery {
  id: string;
  leaseToken: string;
  webhookId: string;
  accountId: string;
  /** Of the webhook's row when it was claimed. */
  revision: number;
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

interface Lease {
  now: Date;
  leaseToken: string;
  leaseUntil: Date;
}

const fanOut = {
  name: unnamed,
  text: `
    with batch as materialized (
      select seq, id, account_id, type, created_at, data::text as data_text
      from outbox_events where dispatched_at is null order by seq limit $4 for update skip locked
    ),
    noted as (update outbox_events set dispatched_at = $1 where seq = any (array(select seq from batch))),
    endpoint_room as (select * from jsonb_to_recordset($5::jsonb) as r(id text, free int)),
    account_room as (select * from jsonb_to_recordset($6::jsonb) as r(id text, free int)),
    matched as (
      select b.seq, b.account_id, b.id as event_id, b.type, w.id as webhook_id, w.active, w.revision,
        w.consecutive_failures, row_number() over (partition by w.id order by b.seq) as endpoint_rank
      from batch b join webhooks w on w.user_id = b.account_id and b.type = any (w.events)
    ),
    ranked as (
      select m.*,
        m.active and m.endpoint_rank <= least(coalesce(e.free, ${initialRoom}), greatest(1, ${maxConsecutiveFailures} - m.consecutive_failures)) as has_room,
        coalesce(a.free, ${maxPerAccount}) as account_free
      from matched m
      left join endpoint_room e on e.id = m.webhook_id
      left join account_room a on a.id = m.account_id
    ),
    planned as materialized (
      -- The time of the event in a UUIDv7 of the delivery's own.
      select 'dlv_' || substr(event_id, 5, 14) || '7' || substr(gen_random_uuid()::text, 16) as id, r.*,
        has_room
          and row_number() over (partition by account_id, has_room order by endpoint_rank, seq) <= account_free
          and row_number() over (partition by has_room order by endpoint_rank, seq) <= $7 as starts
      from ranked r
    ),
    written as (
      insert into webhook_deliveries
        (id, webhook_id, event_id, event_type, status, due_at, lease_token, lease_until, attempt_count, attempted_at, created_at, finished_at)
      select id, webhook_id, event_id, type, case when active then 'pending' else 'skipped' end,
        $1, case when starts then $2 end, case when starts then $3::timestamptz end,
        case when starts then 1 else 0 end, case when starts then $1::timestamptz end, $1,
        case when not active then $1::timestamptz end
      from planned
    )
    select b.id as "eventId", b.type as "eventType", b.created_at as "eventCreatedAt", b.account_id as "accountId",
      case when p.starts then b.data_text end as "dataText", p.id, p.webhook_id as "webhookId", p.active, p.starts,
      p.revision, p.consecutive_failures as "consecutiveFailures"
    from batch b left join planned p on p.seq = b.seq
    order by b.seq`,
};

type FannedOut = Omit<ClaimedDelivery, 'leaseToken' | 'attempt' | 'attemptedAt'> & { starts: boolean; active: boolean };

interface FanOutOptions extends Lease {
  maxEvents: number;
  endpoints: readonly Room[];
  accounts: readonly Room[];
  totalFree: number;
}

export interface FanOutResult {
  /** Events taken from the outbox: as many as asked for means that there may be more. */
  events: number;
  claimed: ClaimedDelivery[];
  /** Written without a lease, because their endpoint has no room now. */
  left: { webhookId: string; accountId: string }[];
}

/**
 * Turns events of the outbox into deliveries, one for each webhook that wants them, and claims those for which there is
 * room: at rest, one round trip from the commit of an event to its first POST. Atomic, and each event is taken once.
 */
export async function fanOutEvents(sql: Sql, options: FanOutOptions): Promise<FanOutResult> {
  const { now, leaseToken, leaseUntil, maxEvents, endpoints, accounts, totalFree } = options;
  const rows = await sql<FannedOut>(fanOut, [
    now,
    leaseToken,
    leaseUntil,
    maxEvents,
    JSON.stringify(endpoints),
    JSON.stringify(accounts),
    totalFree,
  ]);
  return {
    events: new Set(rows.map((row) => row.eventId)).size,
    claimed: rows
      .filter((row) => row.starts)
      .map((row) => Object.assign(row, { leaseToken, attempt: 1, attemptedAt: now })),
    left: rows.filter((row) => row.active && !row.starts),
  };
}

const claimDue = {
  name: unnamed,
  text: `
    with wanted as materialized (
      select w.id, w.user_id, w.active, w.revision, w.consecutive_failures,
        case when w.active then least(r.free, greatest(1, ${maxConsecutiveFailures} - w.consecutive_failures)) else 1000 end as room
      from jsonb_to_recordset($4::jsonb) as r(id text, free int) join webhooks w on w.id = r.id
    ),
    due as materialized (
      select d.id, w.active, w.revision, w.consecutive_failures, w.user_id,
        w.active and d.attempt_count - d.earlier_attempt_count < $5 as starts
      from wanted w cross join lateral (
        select id, attempt_count, earlier_attempt_count from webhook_deliveries
        where webhook_id = w.id and status = 'pending' and due_at <= $1 and (lease_token is null or lease_until <= $1)
        order by due_at, id limit w.room for update skip locked
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
      returning d.id, d.webhook_id, d.event_id, d.event_type, d.attempt_count - d.earlier_attempt_count as attempt,
        j.starts, j.revision, j.consecutive_failures, j.user_id
    )
    select t.id, t.webhook_id as "webhookId", t.user_id as "accountId", t.event_id as "eventId",
      t.event_type as "eventType", t.attempt, t.starts, t.revision, t.consecutive_failures as "consecutiveFailures",
      e.created_at as "eventCreatedAt", e.data::text as "dataText"
    from taken t left join lateral (
      select created_at, data from outbox_events where id = t.event_id limit 1
    ) e on true`,
};

type DueRow = Omit<ClaimedDelivery, 'leaseToken' | 'attemptedAt'> & { starts: boolean };

interface ClaimOptions extends Lease {
  endpoints: readonly Room[];
  maxAttempts: number;
}

export interface ClaimResult {
  claimed: ClaimedDelivery[];
  /** Due rows found for each webhook, those included that ended here: skipped while it is disabled, or out of attempts. */
  found: Map<string, number>;
}

/** Claims due deliveries of the endpoints, among them those whose holder died, and counts the attempt of each. */
export async function claimDueDeliveries(sql: Sql, options: ClaimOptions): Promise<ClaimResult> {
  const { now, leaseToken, leaseUntil, endpoints, maxAttempts } = options;
  const rows = await sql<DueRow>(claimDue, [now, leaseToken, leaseUntil, JSON.stringify(endpoints), maxAttempts]);
  const found = new Map<string, number>();
  for (const { webhookId } of rows) found.set(webhookId, (found.get(webhookId) ?? 0) + 1);
  const claimed = rows.filter((row) => row.starts).map((row) => Object.assign(row, { leaseToken, attemptedAt: now }));
  return { claimed, found };
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
