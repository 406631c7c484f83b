import { followAttempt } from '../../conversations/generations/follow-generation.ts';
import type { Ctx, Ports } from '../../core/ctx.ts';
import { createFeed, type Feed } from '../../core/feeds/feed.ts';
import type { FeedPage } from '../../core/feeds/feed-source.ts';
import { toWire } from '../../core/wire.ts';
import { isAtOrBefore, readRoomLog, roomHead, type RoomLogEntry } from '../../rooms/events/read-log.ts';
import { onRoomChanges } from '../../rooms/events/room-changes.ts';
import type { RoomLogPosition } from '../../rooms/events/room-log.ts';
import type { RoomMessageView } from '../../rooms/messages/room-message.ts';
import { type Present, presentIn } from '../../rooms/presence/presence.ts';
import { turnTable } from '../../rooms/turns/turn-table.ts';
import { findRunningTurn, type RunningTurn, type TurnView } from '../../rooms/turns/turn-view.ts';
import { type ChannelEvent, sizeOfEvent } from '../channel.ts';
import { type FollowedText, followText } from './followed-text.ts';
import { type PresenceStates, statesOf } from './room-presence.ts';

/** An item that a room's channel passes to its readers. */
export type RoomFeedEntry =
  | { kind: 'log'; entry: RoomLogEntry; event: ChannelEvent }
  | { kind: 'turn'; turn: FollowedText; rootPosition: number | null }
  | { kind: 'present'; states: PresenceStates }
  /** An event about a person that is not in the log. That person does not receive it. */
  | { kind: 'notice'; userId: string; event: ChannelEvent };

type RoomFeed = Feed<RoomFeedEntry, RoomLogPosition>;
type Page = FeedPage<RoomFeedEntry, RoomLogPosition>;

const feeds = new WeakMap<Ports, Map<string, RoomFeed>>();

/**
 * Returns the feed of a room's events on any instance, read once for all readers of this process. Performs no
 * authorization check.
 */
export function roomFeed(ctx: Ctx, roomId: string): RoomFeed {
  const ofProcess = feeds.get(ctx.ports) ?? new Map<string, RoomFeed>();
  feeds.set(ctx.ports, ofProcess);
  const remove = (): void => void ofProcess.delete(roomId);
  const feed = ofProcess.get(roomId) ?? openFeed(ctx.ports.background(), roomId, remove);
  ofProcess.set(roomId, feed);
  return feed;
}

/** Returns the offset of a position in the log. A message has its own position; other events add their sequence number. */
export const offsetOf = ({ position, sequence }: RoomLogPosition): string =>
  sequence === 0 ? String(position) : `${position}.${sequence}`;

function openFeed(ctx: Ctx, roomId: string, onEmpty: () => void): RoomFeed {
  let turn: FollowedText | null = null;
  let states: PresenceStates | null = null;
  let typing: ReadonlySet<string> = new Set();

  async function read(after: RoomLogPosition): Promise<Page> {
    const { entries, hasMore } = await readRoomLog(ctx, roomId, after);
    const items = entries.map((entry) => {
      const event = { type: entry.type, offset: offsetOf(entry), data: toWire(entry.data) as object };
      return { kind: 'log' as const, entry, event };
    });
    return { items, next: entries.at(-1) ?? after, hasMore };
  }

  async function poll(head: RoomLogPosition): Promise<Page> {
    // The log is read after the running turn, so it includes a turn that ended between the two reads.
    const [running, present] = await Promise.all([findRunningTurn(ctx, roomId), presentIn(ctx, roomId)]);
    const page = await read(head);
    if (page.hasMore) return page;
    return { ...page, items: [...page.items, ...presenceEntries(present), ...turnEntries(running, page)] };
  }

  function turnEntries(running: RunningTurn | null, page: Page): RoomFeedEntry[] {
    if (!running) return [];
    const { id } = running.turn;
    if (id === turn?.id || page.items.some((item) => isEndOf(item, id))) return [];
    turn = followTurn(ctx, running.turn, () => feed.wake());
    return [{ kind: 'turn', turn, rootPosition: running.rootPosition }];
  }

  function presenceEntries(present: readonly Present[]): RoomFeedEntry[] {
    const [statesBefore, typingBefore] = [states, typing];
    states = statesOf(present, statesBefore);
    const typists = present.filter(({ isTyping }) => isTyping).map(({ userId }) => userId);
    typing = new Set(typists);
    const begun = typists.filter((userId) => !typingBefore.has(userId));
    return [...(states === statesBefore ? [] : [{ kind: 'present' as const, states }]), ...begun.map(typingNotice)];
  }

  const feed: RoomFeed = createFeed<RoomFeedEntry, RoomLogPosition>({
    account: roomId,
    source: {
      head: () => roomHead(ctx, roomId),
      read,
      poll,
      isRead: (position) => (item) => item.kind === 'log' && isAtOrBefore(item.entry, position),
      sizeOf: (item) => ('event' in item ? sizeOfEvent(item.event) : 0),
      isOpen: (item) => item.kind === 'turn' && !item.turn.isOver,
      now: () => states && { kind: 'present', states },
    },
    onWake: (wake) => onRoomChanges(ctx, roomId, wake),
    onEmpty: () => {
      turn?.stop();
      onEmpty();
    },
    log: ctx.log,
  });
  return feed;
}

const typingNotice = (userId: string): RoomFeedEntry => ({
  kind: 'notice',
  userId,
  event: { type: 'typing', offset: null, data: { user_id: userId } },
});

const isEndOf = (item: RoomFeedEntry, turnId: string): boolean => item.kind === 'log' && item.entry.turnId === turnId;

/** Follows the text of a turn while it is generated. Its message and its end are in the log. */
const followTurn = (ctx: Ctx, turn: TurnView, onEnd: () => void): FollowedText =>
  followText<RoomMessageView>({
    id: turn.id,
    open: (from) => followAttempt(ctx, turnTable, { id: turn.id }, { from }),
    started: { type: 'turn.started', offset: `${turn.id}:0`, data: toWire(turn) as object },
    piece: (content) => ({ type: 'turn.delta', data: { turn_id: turn.id, content } }),
    endEvents: () => [],
    onEnd,
    log: ctx.log,
  });
