import type { Ctx, Ports } from '../../core/ctx.ts';
import { createFeed, type Feed } from '../../core/feeds/feed.ts';
import { onAccountEvents } from '../../core/feeds/account-wakes.ts';
import { type EventPosition, type LoggedEvent, positionNow, readEvents, visibleIn } from './event-position.ts';

type AccountFeed = Feed<LoggedEvent, EventPosition>;

const feeds = new WeakMap<Ports, Map<string, AccountFeed>>();

/**
 * Returns the feed of an account's events as they are committed on any instance. The events are read once for all
 * readers in this process. Each event is yielded once; those of one object come in the order of
 * their `sequence`. Performs no authorization check.
 */
export function accountFeed(ctx: Ctx, accountId: string): AccountFeed {
  const ofProcess = feeds.get(ctx.ports) ?? new Map<string, AccountFeed>();
  feeds.set(ctx.ports, ofProcess);
  const feed =
    ofProcess.get(accountId) ?? openFeed(ctx.ports.background(), accountId, () => ofProcess.delete(accountId));
  ofProcess.set(accountId, feed);
  return feed;
}

const openFeed = (ctx: Ctx, accountId: string, onEmpty: () => void): AccountFeed =>
  createFeed({
    account: accountId,
    source: {
      head: () => positionNow(ctx),
      read: async (position) => {
        const { events, next, hasMore } = await readEvents(ctx, accountId, position);
        return { items: events, next, hasMore };
      },
      // The text, and the frame in which all readers receive it.
      sizeOf: ({ dataText }) => 512 + 2 * dataText.length,
      isRead: ({ seen }) => {
        const isVisible = visibleIn(seen);
        return ({ xid }) => isVisible(xid);
      },
    },
    onWake: (wake) => onAccountEvents(ctx, accountId, wake),
    onEmpty,
    log: ctx.log,
  });
