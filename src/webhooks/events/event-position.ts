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
  /** Last event of the previous page, in the order of `eventOrder` and `seq`. */
  order: string;
  seq: number;
  /** Maximum number of events to examine for the next page. */
  limit: number;
}

/** An event with its transaction. */
export interface LoggedEvent extends AccountEvent {
  /** Id of the transaction that wrote the event. */
  xid: string;
  /** `data` as JSON. */
  dataText: string;
}

export interface EventPage {
  events: LoggedEvent[];
  next: EventPosition;
  hasMore: boolean;
}

/** A page ends with the event that reaches this size, because a slow reader keeps a page in memory. */
const pageBytes = 65_536;
/**
 * Numbers of events that a page examines: few at first and after large events, because the text of each of them is read
 * to measure it; many after a page of small ones.
 */
const fewEvents = 10;
const manyEvents = 100;

/**
 * SQL expression of the order in which readers receive the events of an account, before `seq`. The events of one object
 * are in the order of their `sequence`. Rows from before the columns existed, or that were restored, are ordered by `seq`.
 */
export const eventOrder = `(case when xid = '0' then xid else coalesce(commit_order, xid) end)`;

// Test events for a single webhook are read too, so that the position advances past them.
const select = {
  name: 'events_read',
  text: `
    select coalesce($5::pg_snapshot, pg_current_snapshot())::text as until, page.*
    from (values (1)) one left join lateral (
      select * from (
        select found.*, count(*) over ()::int as found,
          sum(octet_length("dataText")) over (order by "order", seq) - octet_length("dataText") as bytes
        from (
          select seq, xid::text, ${eventOrder} as "order", id, type, created_at as "createdAt", wanted,
            case when wanted then data::text else '' end as "dataText"
          from outbox_events,
            lateral (select only_webhook_id is null as wanted) w
          where account_id = $1 and (${eventOrder}, seq) > ($2::xid8, $3)
            and (xid = '0' or not pg_visible_in_snapshot(xid, $4::pg_snapshot))
            and pg_visible_in_snapshot(xid, coalesce($5::pg_snapshot, pg_current_snapshot()))
          order by ${eventOrder}, seq limit $6
        ) found
      ) summed
      where bytes < ${pageBytes} order by "order", seq
    ) page on true`,
};

interface Row extends Omit<LoggedEvent, 'data'> {
  until: string;
  seq: number | null;
  order: string;
  wanted: boolean;
  found: number;
}

/** Reads the next page of an account's events after `position`. */
export async function readEvents({ sql }: Ctx, accountId: string, position: EventPosition): Promise<EventPage> {
  const { order, seq, seen, until, limit } = position;
  const rows = await sql<Row>(select, [accountId, order, seq, seen, until, limit]);
  const read = rows.filter((row) => row.seq !== null);
  const events = read.filter((row) => row.wanted).map(toLoggedEvent);
  const last = read.at(-1);
  const reached = rows[0]?.until ?? seen;
  const isWhole = read.length === last?.found;
  // After the last page up to an earlier snapshot there may be events since then.
  if (!last || (isWhole && last.found < limit)) return { events, next: startOf(reached), hasMore: until !== null };
  const next = { seen, until: reached, order: last.order, seq: last.seq ?? 0, limit: isWhole ? manyEvents : fewEvents };
  return { events, next, hasMore: true };
}

/** The data is parsed on demand, because sockets send the text. */
const toLoggedEvent = ({ id, type, createdAt, xid, dataText }: Row): LoggedEvent => ({
  id,
  type,
  createdAt,
  xid,
  dataText,
  get data() {
    return JSON.parse(dataText) as Record<string, unknown>;
  },
});

const startOf = (snapshot: string): EventPosition => ({
  seen: snapshot,
  until: null,
  order: snapshot.split(':', 1)[0] ?? '0',
  seq: -1,
  limit: fewEvents,
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
      (select id from outbox_events where account_id = $1 order by ${eventOrder} desc, seq desc limit 1) as newest`,
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
  return row.isOld ? { ...start, order: '0', seq: row.seq } : start;
}
