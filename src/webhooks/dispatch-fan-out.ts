import type { Sql } from '../core/sql.ts';
import { type ClaimedDelivery, type Lease, type Room, unnamed } from './dispatch-claims.ts';
import { initialRoom, maxPerAccount } from './dispatch-room.ts';

const fanOutOf = (chosen: string) => ({
  name: unnamed,
  text: `
    with taken as materialized (
      delete from outbox_queue where seq = any (array(
        select seq from outbox_queue ${chosen} order by seq limit $4 for update skip locked
      ))
      returning seq
    ),
    -- Without those of accounts that are gone.
    batch as materialized (
      select seq, id, account_id, type, created_at, data from outbox_events where seq = any (array(select seq from taken))
    ),
    endpoint_room as (select * from jsonb_to_recordset($5::jsonb) as r(id text, free int)),
    account_room as (select * from jsonb_to_recordset($6::jsonb) as r(id text, free int)),
    -- Locked against the count of failures, in the order of all who lock them: who claims freely sees the newest count.
    wanting as materialized (
      select id, user_id, events, active, revision, consecutive_failures from webhooks
      where user_id = any (array(select account_id from batch)) and events && array(select type from batch)
      order by id for share
    ),
    matched as (
      select b.seq, b.account_id, b.id as event_id, b.type, w.id as webhook_id, w.active, w.revision,
        w.consecutive_failures, row_number() over (partition by w.id order by b.seq) as endpoint_rank
      from batch b join wanting w on w.user_id = b.account_id and b.type = any (w.events)
    ),
    ranked as (
      select m.*,
        m.active and m.consecutive_failures = 0 and m.endpoint_rank <= coalesce(e.free, ${initialRoom}) as has_room,
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
    select t.seq, b.id as "eventId", b.type as "eventType", b.created_at as "eventCreatedAt", b.account_id as "accountId",
      case when p.starts then b.data::text end as "dataText", p.id, p.webhook_id as "webhookId", p.active, p.starts,
      p.revision, p.consecutive_failures as "consecutiveFailures"
    from taken t left join batch b on b.seq = t.seq left join planned p on p.seq = b.seq
    order by t.seq`,
});

const fanOut = fanOutOf('');

/** How far from its end others are looked for in the queue, so that a long one costs no more. */
const othersAmong = 1_000;

const fanOutOthers = fanOutOf(`
  where seq = any (array(
    select seq from outbox_events where account_id <> all ($8)
      and seq = any (array(select seq from outbox_queue order by seq desc limit ${othersAmong}))
  ))`);

type FannedOut = Omit<ClaimedDelivery, 'leaseToken' | 'attempt' | 'attemptedAt'> & {
  seq: number;
  starts: boolean;
  active: boolean;
};

interface FanOutOptions extends Lease {
  maxEvents: number;
  endpoints: readonly Room[];
  accounts: readonly Room[];
  totalFree: number;
  /** Only events of other accounts than these, of those that came last; null: of all. */
  past: readonly string[] | null;
}

/** What became of the events that a fan-out took. */
export interface FanOutResult {
  /** How many events it took: when it is as many as it might, there may be more. */
  taken: number;
  /** When the last of them was made; null when there was none. */
  newestAt: Date | null;
  /** Whose they were. */
  accounts: ReadonlySet<string>;
  claimed: ClaimedDelivery[];
  /** Written without a lease, because their endpoint has no room now, or has failed last. */
  left: { webhookId: string; accountId: string; consecutiveFailures: number }[];
}

/**
 * Turns events of the outbox into deliveries, one for each webhook that wants them, and claims those for which there is
 * room: at rest, one round trip from the commit of an event to its first POST. Atomic, and each event is taken once.
 */
export async function fanOutEvents(sql: Sql, options: FanOutOptions): Promise<FanOutResult> {
  const { now, leaseToken, leaseUntil, maxEvents, endpoints, accounts, totalFree, past } = options;
  const rows = await sql<FannedOut>(past ? fanOutOthers : fanOut, [
    now,
    leaseToken,
    leaseUntil,
    maxEvents,
    JSON.stringify(endpoints),
    JSON.stringify(accounts),
    totalFree,
    ...(past ? [[...past]] : []),
  ]);
  return {
    taken: new Set(rows.map(({ seq }) => seq)).size,
    newestAt: rows.at(-1)?.eventCreatedAt ?? null,
    accounts: new Set(rows.flatMap(({ accountId }) => accountId ?? [])),
    claimed: rows
      .filter((row) => row.starts)
      .map((row) => Object.assign(row, { leaseToken, attempt: 1, attemptedAt: now })),
    left: rows.filter((row) => row.active && !row.starts),
  };
}

const adopt = {
  name: unnamed,
  text: `
    with adopted as (
      update outbox_events set dispatched_at = $1 where seq = any (array(
        select seq from outbox_events where dispatched_at is null order by seq limit $2 for update skip locked
      ))
      returning seq
    )
    insert into outbox_queue (seq) select seq from adopted returning 1`,
};

/** Puts events into the queue that an instance of the release before has committed, which marks them instead. Answers how many. */
export const adoptEvents = async (sql: Sql, now: Date, maxEvents: number): Promise<number> =>
  (await sql(adopt, [now, maxEvents])).length;
