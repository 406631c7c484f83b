import { fromNow, msUntil } from '../../core/database/database-time.ts';
import type { Sql } from '../../core/database/sql.ts';
import { countInHour } from '../deliveries/hourly-counts.ts';
import { maxPerAccount } from './capacity-totals.ts';
import { type FreeCapacity, type Lease, unnamed } from './claim-due.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { initialCapacity } from './endpoint-capacity.ts';

/**
 * Current time in the column's precision of milliseconds. It must identify the row in its partition and be due
 * immediately.
 */
const storedAt = fromNow(0);

const fanOutOf = (chosen: string) => ({
  name: unnamed,
  text: `
    with taken as materialized (
      delete from outbox_queue where seq = any (array(
        select seq from outbox_queue where seq >= $7 ${chosen} order by seq limit $3 for update skip locked
      ))
      returning seq, event_created_at
    ),
    -- Without events of deleted accounts. The time of the oldest excludes earlier partitions.
    batch as materialized (
      select seq, id, account_id, type, created_at, data from outbox_events
      where seq = any (array(select seq from taken))
        and created_at >= (select min(coalesce(event_created_at, '-infinity')) from taken)
    ),
    endpoint_capacity as (select * from jsonb_to_recordset($4::jsonb) as r(id text, free int)),
    account_capacity as (select * from jsonb_to_recordset($5::jsonb) as r(id text, free int)),
    -- The lock waits for transactions that count failures, so that a claim sees the newest count. Locked by id, as everywhere.
    wanting as materialized (
      select id, user_id, events, active, revision, consecutive_failures from webhooks
      where user_id = any (array(select account_id from batch)) and events && array(select type from batch) and deleted_at is null
      order by id for share
    ),
    matched as (
      select b.seq, b.account_id, b.id as event_id, b.type, w.id as webhook_id, w.active, w.revision,
        w.consecutive_failures, row_number() over (partition by w.id order by b.seq) as endpoint_rank
      from batch b join wanting w on w.user_id = b.account_id and b.type = any (w.events)
    ),
    ranked as (
      select m.*,
        m.active and m.consecutive_failures = 0 and m.endpoint_rank <= coalesce(e.free, ${initialCapacity}) as has_capacity,
        coalesce(a.free, ${maxPerAccount}) as account_free
      from matched m
      left join endpoint_capacity e on e.id = m.webhook_id
      left join account_capacity a on a.id = m.account_id
    ),
    planned as materialized (
      -- A UUIDv7 with the event's time and random bits of its own.
      select 'dlv_' || substr(event_id, 5, 14) || '7' || substr(gen_random_uuid()::text, 16) as id, r.*,
        has_capacity
          and row_number() over (partition by account_id, has_capacity order by endpoint_rank, seq) <= account_free
          and row_number() over (partition by has_capacity order by endpoint_rank, seq) <= $6 as starts
      from ranked r
    ),
    written as (
      insert into webhook_deliveries
        (id, webhook_id, event_id, event_type, status, due_at, lease_token, lease_expires_at, attempt_count, attempted_at, created_at, finished_at)
      select id, webhook_id, event_id, type, case when active then 'pending' else 'skipped' end,
        ${storedAt}, case when starts then $1 end, case when starts then ${fromNow('$2')} end,
        case when starts then 1 else 0 end, case when starts then now() end, ${storedAt},
        case when not active then now() end
      from planned
    )
    select t.seq, b.id as "eventId", b.type as "eventType", b.created_at as "eventCreatedAt", b.account_id as "accountId",
      -${msUntil('b.created_at')} as "ageMs", case when p.starts then b.data::text end as "dataText", p.id,
      ${storedAt} as "createdAt", now() as "attemptedAt", p.webhook_id as "webhookId", p.active, p.starts,
      p.revision, p.consecutive_failures as "consecutiveFailures"
    from taken t left join batch b on b.seq = t.seq left join planned p on p.seq = b.seq
    order by t.seq`,
});

const fanOut = fanOutOf('');

/** Number of newest queue entries searched for events of other accounts, which limits the cost of a long queue. */
const maxSearchedEntries = 1_000;

const fanOutOthers = fanOutOf(`
  and seq = any (array(
    select seq from outbox_events where account_id <> all ($8)
      and seq = any (array(select seq from outbox_queue order by seq desc limit ${maxSearchedEntries}))
  ))`);

type FannedOut = Omit<ClaimedDelivery, 'leaseToken' | 'attempt' | 'claimedMs'> & {
  seq: number;
  ageMs: number | null;
  starts: boolean;
  active: boolean;
};

interface FanOutOptions extends Lease {
  /** Sequence number from which the queue is read. */
  from: number;
  maxEvents: number;
  endpoints: readonly FreeCapacity[];
  accounts: readonly FreeCapacity[];
  totalFree: number;
  /**
   * If set, takes only events near the end of the queue, and none of these accounts. Null takes all events in order.
   */
  skippedAccounts: readonly string[] | null;
}

/** The outcome of a fan-out. */
export interface FanOutResult {
  /** Number of events taken. If it equals the maximum, there may be more. */
  taken: number;
  /** Age of the last event taken, in milliseconds; null if there was none. */
  newestAgeMs: number | null;
  /** Ids of the accounts to which the events belong. */
  accounts: ReadonlySet<string>;
  claimed: ClaimedDelivery[];
  /** Deliveries stored without a lease, because their endpoint has no free capacity or is failing. */
  unclaimed: { webhookId: string; accountId: string; consecutiveFailures: number }[];
}

/**
 * Creates a delivery of each event in the outbox for each subscribed webhook, and claims as many as capacity allows.
 * Without a backlog, the first POST therefore needs a single round trip after the commit of the event. The statement is
 * atomic and takes each event exactly once.
 */
export async function fanOutEvents(sql: Sql, options: FanOutOptions): Promise<FanOutResult> {
  const { leaseToken, leaseMs, maxEvents, endpoints, accounts, totalFree, from, skippedAccounts } = options;
  const claimedMs = performance.now();
  const rows = await sql<FannedOut>(skippedAccounts ? fanOutOthers : fanOut, [
    leaseToken,
    leaseMs,
    maxEvents,
    JSON.stringify(endpoints),
    JSON.stringify(accounts),
    totalFree,
    from,
    ...(skippedAccounts ? [[...skippedAccounts]] : []),
  ]);
  const skipped = rows
    .filter(({ webhookId, active }) => webhookId !== null && !active)
    .map(({ webhookId }) => webhookId);
  if (skipped.length > 0) await sql(countSkipped, [skipped]);
  return {
    taken: new Set(rows.map(({ seq }) => seq)).size,
    newestAgeMs: rows.at(-1)?.ageMs ?? null,
    accounts: new Set(rows.flatMap(({ accountId }) => accountId ?? [])),
    claimed: rows.filter((row) => row.starts).map((row) => Object.assign(row, { leaseToken, attempt: 1, claimedMs })),
    unclaimed: rows.filter((row) => row.active && !row.starts),
  };
}

// Separate, because it would be planned with every fan-out. A crash in between loses a count, which is acceptable.
const countSkipped = {
  name: unnamed,
  text: countInHour(
    `(select webhook_id, 'skipped' as status, 0 as attempts from unnest($1::text[]) as s (webhook_id)) skipped`,
  ),
};

const adopt = {
  name: unnamed,
  text: `
    with adopted as (
      update outbox_events set dispatched_at = now() where seq = any (array(
        select seq from outbox_events where dispatched_at is null order by seq limit $1 for update skip locked
      ))
      returning seq, created_at
    )
    insert into outbox_queue (seq, event_created_at) select seq, created_at from adopted returning seq`,
};

/** Enqueues events that were committed without a queue entry. Returns their sequence numbers. */
export const adoptEvents = async (sql: Sql, maxEvents: number): Promise<number[]> =>
  (await sql<{ seq: number }>(adopt, [maxEvents])).map(({ seq }) => seq);
