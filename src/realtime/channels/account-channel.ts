import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { gatheredSql } from '../../core/database/sql.ts';
import { notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { accountFeed } from '../../webhooks/events/account-feed.ts';
import { type EventPosition, type LoggedEvent, positionAfter, readHead } from '../../webhooks/events/event-position.ts';
import type { ChannelEvent, ChannelKind, ChannelReading, OpenOptions } from '../channel.ts';

/** Channel of the events of the caller's account, with the same events as webhooks. */
export const accountChannel: ChannelKind = { scope: 'webhooks:read', open };

async function open(ctx: Ctx, id: string, { after, left }: OpenOptions): Promise<ChannelReading> {
  if (id !== '') throw notFound();
  const accountId = callerId(ctx);
  const position = after === null ? null : await positionOf(ctx, accountId, after);
  if (position) {
    const logged = accountFeed(ctx, accountId).follow(position, left);
    return { resumed: 'caught_up', offset: after, events: eventsOf(logged, after) };
  }
  // Joins the feed before reading the position, so that a reader of new events needs no query of its own, however many
  // readers connect at once.
  const follow = await accountFeed(ctx, accountId).join(left);
  const { position: now, newest } = await readHead(gatheredSql(ctx.pool), accountId);
  const offset = newest ?? emptyOffset(ctx.clock.now());
  return { resumed: after === null ? 'from_start' : 'gap', offset, events: eventsOf(follow(now), null) };
}

async function* eventsOf(
  logged: AsyncGenerator<LoggedEvent, void, void>,
  after: string | null,
): AsyncGenerator<ChannelEvent, void, void> {
  for await (const event of logged) if (event.id !== after) yield eventOf(event);
}

const events = new WeakMap<LoggedEvent, ChannelEvent>();

function eventOf(logged: LoggedEvent): ChannelEvent {
  const { id, type, createdAt, dataText } = logged;
  const event = events.get(logged) ?? {
    type,
    offset: id,
    createdAt,
    dataText,
    get data() {
      return logged.data;
    },
  };
  events.set(logged, event);
  return event;
}

async function positionOf(ctx: Ctx, accountId: string, offset: string): Promise<EventPosition | null> {
  if (!isId('evt_', offset)) return null;
  const seenEmptyMs = timeOfEmpty(offset);
  if (seenEmptyMs === null) return positionAfter(gatheredSql(ctx.pool), accountId, offset);
  const keptMs = ctx.config.webhooks.retentionDays * 86_400_000;
  return ctx.clock.now().getTime() - seenEmptyMs < keptMs ? beginning : null;
}

/** Position before every event. No snapshot is older than 3. */
const beginning: EventPosition = { seen: '3:3:', until: null, order: '0', seq: -1, limit: 10 };

const emptySuffix = '-0000-0000-000000000000';

/** Returns the offset of an account without events: an id with the current time. */
function emptyOffset(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  return `evt_${time.slice(0, 8)}-${time.slice(8)}${emptySuffix}`;
}

const timeOfEmpty = (offset: string): number | null =>
  offset.endsWith(emptySuffix) ? Number.parseInt(offset.slice(4, 17).replace('-', ''), 16) : null;
