import type { Ctx } from '../../core/ctx.ts';
import type { Sql } from '../../core/database/sql.ts';
import type { EventType } from '../../core/outbox.ts';

/** An event as webhooks receive it. */
export interface AccountEvent {
  id: string;
  type: EventType;
  createdAt: Date;
  /** The wire form, in snake_case. */
  data: Record<string, unknown>;
}

/**
 * Where a reader is. Numbers of events are drawn before the commit, so a lower one can appear after a higher one; what a
 * reader has seen is therefore a snapshot of PostgreSQL (`xmin:xmax:xip_list`), not a number. An event is new when the
 * transaction that wrote it (`xid`) is not visible in that snapshot.
 */
export interface EventPosition {
  /** Every event that is visible in it was read. */
  seen: string;
  /** Read up to this snapshot, page by page; null before the first page. */
  until: string | null;
  /** The last event of the page before, in the order of the index. */
  xid: string;
  seq: number;
}

/** An event as the log has it. */
export interface LoggedEvent extends AccountEvent {
  /** The transaction that wrote it. */
  xid: string;
}

export interface EventPage {
  events: LoggedEvent[];
  next: EventPosition;
  hasMore: boolean;
}

/** Small, because a reader that stalls holds a page in memory. */
const pageSize = 100;

// Test events, which go to one webhook, are read too, so that a reader moves on.
const select = {
  name: 'events_read',
  text: `
    select coalesce($5::pg_snapshot, pg_current_snapshot())::text as until, page.*
    from (values (1)) one left join lateral (
      select seq, xid::text, id, type, created_at as "createdAt", wanted, case when wanted then data end as data
      from outbox_events,
        lateral (select only_webhook_id is null as wanted) w
      where account_id = $1 and (xid, seq) > ($2::xid8, $3)
        and (xid = '0' or not pg_visible_in_snapshot(xid, $4::pg_snapshot))
        and pg_visible_in_snapshot(xid, coalesce($5::pg_snapshot, pg_current_snapshot()))
      order by xid, seq limit ${pageSize}
    ) page on true`,
};

type Row = LoggedEvent & { until: string; seq: number | null; wanted: boolean };

/** Reads the next events of an account after `position`. */
export async function readEvents({ sql }: Ctx, accountId: string, position: EventPosition): Promise<EventPage> {
  const { xid, seq, seen, until } = position;
  const rows = await sql<Row>(select, [accountId, xid, seq, seen, until]);
  const read = rows.filter((row) => row.seq !== null);
  const events = read
    .filter((row) => row.wanted)
    .map(({ id, type, createdAt, data, xid }) => ({ id, type, createdAt, data, xid }));
  const last = read.at(-1);
  const reached = rows[0]?.until ?? seen;
  if (read.length < pageSize || !last) return { events, next: startOf(reached), hasMore: false };
  return { events, next: { seen, until: reached, xid: last.xid, seq: last.seq ?? 0 }, hasMore: true };
}

const startOf = (snapshot: string): EventPosition => ({
  seen: snapshot,
  until: null,
  xid: snapshot.split(':', 1)[0] ?? '0',
  seq: -1,
});

/** Whether a transaction is visible in a snapshot (`xmin:xmax:xip_list`). */
export function visibleIn(snapshot: string): (xid: string) => boolean {
  const [xmin = '0', xmax = '0', running = ''] = snapshot.split(':');
  const [from, to] = [BigInt(xmin), BigInt(xmax)];
  const open = new Set(running.split(','));
  return (xid) => {
    const id = BigInt(xid);
    return id < from || (id < to && !open.has(xid));
  };
}

const selectSnapshot = { name: 'events_snapshot', text: `select pg_current_snapshot()::text as snapshot` };

const selectHead = {
  name: 'events_head',
  text: `
    select pg_current_snapshot()::text as snapshot,
      (select id from outbox_events where account_id = $1 order by xid desc, seq desc limit 1) as newest`,
};

/** The position after every event that is committed now, and the newest of them; null when an account has none. */
export async function readHead(
  sql: Sql,
  accountId: string,
): Promise<{ position: EventPosition; newest: string | null }> {
  const [row] = await sql<{ snapshot: string; newest: string | null }>(selectHead, [accountId]);
  if (!row) throw new Error('a select without a table returned no row');
  return { position: startOf(row.snapshot), newest: row.newest };
}

/** The position after every event that is committed now. */
export async function positionNow({ sql }: Ctx): Promise<EventPosition> {
  const [row] = await sql<{ snapshot: string }>(selectSnapshot);
  if (!row) throw new Error('a select without a table returned no row');
  return startOf(row.snapshot);
}

// Rows older than the columns have 0, and a snapshot begins at 3. Their order is that of their numbers.
const selectAfter = {
  name: 'events_position_after',
  text: `
    select seq, xid = '0' as "isOld", case when xid = '0' then '3' else xid_horizon::text end as horizon
    from outbox_events where account_id = $1 and id = $2`,
};

/**
 * The position after an event, for a reader that resumes: null for an unknown event. Whatever was not committed when the
 * event was written counts as new, so that nothing is lost; some of it may have been read before.
 */
export async function positionAfter(sql: Sql, accountId: string, eventId: string): Promise<EventPosition | null> {
  const [row] = await sql<{ seq: number; isOld: boolean; horizon: string }>(selectAfter, [accountId, eventId]);
  if (!row) return null;
  const start = startOf(`${row.horizon}:${row.horizon}:`);
  return row.isOld ? { ...start, xid: '0', seq: row.seq } : start;
}
