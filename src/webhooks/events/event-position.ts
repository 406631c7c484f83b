import type { Ctx } from '../../core/ctx.ts';
import type { Sql } from '../../core/database/sql.ts';
import type { EventType } from '../../core/outbox.ts';

/** An event as webhooks receive it. */
export interface AccountEvent {
  id: string;
  type: EventType;
  createdAt: Date;
  /** The data in its public form, with keys in snake case. */
  data: Record<string, unknown>;
}

/**
 * The position of a reader. Sequence numbers are assigned before the commit, so a lower number can become visible after
 * a higher one. The position is therefore a PostgreSQL snapshot (`xmin:xmax:xip_list`): an event is new when the
 * transaction that wrote it (`xid`) is not visible in the snapshot.
 */
export interface EventPosition {
  /** Snapshot whose visible events have all been read. */
  seen: string;
  /** Snapshot up to which pages are being read; null before the first page. */
  until: string | null;
  /** Last event of the previous page, in index order. */
  xid: string;
  seq: number;
}

/** An event with its transaction. */
export interface LoggedEvent extends AccountEvent {
  /** Id of the transaction that wrote the event. */
  xid: string;
}

export interface EventPage {
  events: LoggedEvent[];
  next: EventPosition;
  hasMore: boolean;
}

/** Small, because a slow reader keeps a page in memory. */
const pageSize = 100;

// Test events for a single webhook are read too, so that the position advances past them.
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

/** Reads the next page of an account's events after `position`. */
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

/** Returns a function that tells whether a transaction is visible in a snapshot (`xmin:xmax:xip_list`). */
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

/**
 * Returns the position after all events that are committed now, and the id of the account's newest event; null if it
 * has none.
 */
export async function readHead(
  sql: Sql,
  accountId: string,
): Promise<{ position: EventPosition; newest: string | null }> {
  const [row] = await sql<{ snapshot: string; newest: string | null }>(selectHead, [accountId]);
  if (!row) throw new Error('a select without a table returned no row');
  return { position: startOf(row.snapshot), newest: row.newest };
}

/** Returns the position after all events that are committed now. */
export async function positionNow({ sql }: Ctx): Promise<EventPosition> {
  const [row] = await sql<{ snapshot: string }>(selectSnapshot);
  if (!row) throw new Error('a select without a table returned no row');
  return startOf(row.snapshot);
}

// Rows from before these columns existed have the transaction id 0 and are ordered by sequence number. Real ids start
// at 3.
const selectAfter = {
  name: 'events_position_after',
  text: `
    select seq, xid = '0' as "isOld", case when xid = '0' then '3' else xid_horizon::text end as horizon
    from outbox_events where account_id = $1 and id = $2`,
};

/**
 * Returns the position after an event, or null for an unknown event. Events that were uncommitted when this one was
 * written count as new: none is missed, but some may be repeated.
 */
export async function positionAfter(sql: Sql, accountId: string, eventId: string): Promise<EventPosition | null> {
  const [row] = await sql<{ seq: number; isOld: boolean; horizon: string }>(selectAfter, [accountId, eventId]);
  if (!row) return null;
  const start = startOf(`${row.horizon}:${row.horizon}:`);
  return row.isOld ? { ...start, xid: '0', seq: row.seq } : start;
}
