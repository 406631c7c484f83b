import { z } from 'zod';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { invalidField } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import type { EventType } from '../../core/outbox.ts';
import { orDefault, type Slice } from '../../core/pagination.ts';
import { type AccountEvent, eventOrder } from './event-position.ts';

const maxLimit = 100;
const defaultLimit = 20;
/** Number of events that one page examines when filtering. */
const maxExamined = 2_000;

const recentEventsInput = (types: readonly EventType[]) =>
  z.object({
    types: z.array(z.enum(types)).min(1).max(100).nullish(),
    subject: z.string().min(1).max(100).nullish(),
    limit: orDefault(z.int().min(1).max(maxLimit), defaultLimit),
    before: z.string().nullish(),
  });

const selectPosition = {
  name: 'events_place',
  text: `select ${eventOrder}::text as "order", seq from outbox_events where account_id = $1 and id = $2`,
};

// Examines the whole window, so that the next page of a rare type continues after all examined events.
const selectBefore = (name: string, condition: string) => ({
  name,
  text: `
    with examined as materialized (
      select ${eventOrder} as position, seq, id, type, created_at from outbox_events
      where account_id = $1 and only_webhook_id is null ${condition}
      order by ${eventOrder} desc, seq desc limit ${maxExamined}
    ),
    chosen as (
      select position, seq, id, type, created_at from examined e
      where ($2::text[] is null or type = any ($2)) and ($4::text is null or exists (
        select 1 from outbox_events o where o.id = e.id and o.created_at = e.created_at and o.data ->> 'id' = $4))
      order by position desc, seq desc limit $3
    )
    select c.id, c.type, c.created_at as "createdAt", o.data, (select id from examined order by position, seq limit 1) as "lastExamined",
      (select count(*) from examined)::int as examined
    from (values (1)) one left join chosen c on true
      left join outbox_events o on o.id = c.id and o.created_at = c.created_at
    order by c.position desc, c.seq desc`,
});

const selectNewest = selectBefore('events_newest', '');
const selectOlder = selectBefore('events_older', `and (${eventOrder}, seq) < ($5::xid8, $6)`);

interface Row {
  id: string | null;
  type: EventType;
  createdAt: Date;
  data: Record<string, unknown>;
  lastExamined: string | null;
  examined: number;
}

/**
 * Lists the caller's retained events, newest first, without test events. A page examines at most 2,000 events, so it
 * can be short or empty although there is a next page.
 * @throws AppError `invalid_request`
 */
export async function listRecentEvents(ctx: Ctx, input: unknown): Promise<Slice<AccountEvent>> {
  const { types, subject, limit, before } = parseInput(recentEventsInput(ctx.catalog.eventTypes), input);
  const accountId = callerId(ctx);
  const position = before ? await positionOf(ctx, accountId, before) : null;
  const values = [accountId, types ?? null, limit + 1, subject ?? null];
  const rows = await (position
    ? ctx.sql<Row>(selectOlder, [...values, position.order, position.seq])
    : ctx.sql<Row>(selectNewest, values));
  const events = rows.flatMap(({ id, type, createdAt, data }) => (id ? [{ id, type, createdAt, data }] : []));
  if (events.length > limit) {
    const data = events.slice(0, limit);
    return { data, pageInfo: { hasNextPage: true, endCursor: data.at(-1)?.id ?? null } };
  }
  const { examined = 0, lastExamined = null } = rows[0] ?? {};
  return { data: events, pageInfo: { hasNextPage: examined === maxExamined, endCursor: lastExamined } };
}

const selectLast = {
  name: 'events_last',
  text: `
    select id from outbox_events where account_id = $1 and only_webhook_id is null order by ${eventOrder} desc, seq desc limit 1`,
};

/** Returns the id of an account's last retained event; null when there is none. Performs no authorization check. */
export async function findLastEventId({ sql }: Ctx, accountId: string): Promise<string | null> {
  const [last] = await sql<{ id: string }>(selectLast, [accountId]);
  return last?.id ?? null;
}

async function positionOf(ctx: Ctx, accountId: string, eventId: string): Promise<{ order: string; seq: number }> {
  const [position] = isId('evt_', eventId)
    ? await ctx.sql<{ order: string; seq: number }>(selectPosition, [accountId, eventId])
    : [];
  if (!position) throw invalidField('before', 'unknown_event', 'before must be the id of one of your events');
  return position;
}
