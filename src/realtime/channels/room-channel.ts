import { requireUser } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { isId } from '../../core/ids.ts';
import type { RoomLogPosition } from '../../rooms/events/room-log.ts';
import { isAtOrBefore, type RoomLogEntry } from '../../rooms/events/read-log.ts';
import { getMembership, hiddenPosition, type Membership } from '../../rooms/membership.ts';
import { enterRoom } from '../../rooms/presence/presence.ts';
import type { ChannelEvent, ChannelKind, ChannelReading, OpenOptions } from '../channel.ts';
import { createMerge, type Pulled } from './merge.ts';
import { offsetOf, roomFeed, type RoomFeedEntry } from './room-feed.ts';
import { presenceChanges, type PresenceStates } from './room-presence.ts';

/**
 * Channel of the messages of a room that the caller has joined, its replies while they are generated, and the presence
 * of its members.
 */
export const roomChannel: ChannelKind = { scope: 'rooms:read', open };

interface Start {
  from: RoomLogPosition;
  /** The turn of which the reader has received `length` UTF-16 units. */
  turn: { id: string; length: number } | null;
}

async function open(ctx: Ctx, id: string, { after, left }: OpenOptions): Promise<ChannelReading> {
  const room = await getMembership(ctx, id);
  const head: RoomLogPosition = { position: room.lastPosition, sequence: room.eventSequence };
  const start = after === null ? null : await startAfter(ctx, room, head, after);
  const { userId, sessionId } = requireUser(ctx.actor);
  // A program that connects with an API key does not count as present.
  const connection = sessionId === null ? null : enterRoom(ctx.ports.background(), id, userId);
  left.addEventListener('abort', () => connection?.leave(), { once: true });
  const events = follow(ctx, { room, userId }, start ?? { from: head, turn: null }, left);
  const reading = {
    events: leaving(events, () => connection?.leave()),
    ...(connection && { presence: connection }),
  };
  if (start) return { resumed: 'caught_up', offset: after, ...reading };
  return { resumed: after === null ? 'from_start' : 'gap', offset: offsetOf(head), ...reading };
}

async function* leaving(
  events: AsyncGenerator<ChannelEvent, void, void>,
  leave: () => void,
): AsyncGenerator<ChannelEvent, void, void> {
  try {
    yield* events;
  } finally {
    leave();
  }
}

/** The text that is being sent to a reader. */
interface Reading {
  writing: { id: string; pieces: Pulled<ChannelEvent>; rootPosition: number | null } | null;
  /** The last turn whose text was sent to the reader. */
  followed: string | null;
}

interface Reader {
  room: Membership;
  userId: string;
}

/**
 * Yields the log in order, interleaved with the text of the running turn, because people can write during a turn. The
 * end of a turn comes after all of its text.
 */
async function* follow(
  ctx: Ctx,
  reader: Reader,
  start: Start,
  readerLeft: AbortSignal,
): AsyncGenerator<ChannelEvent, void, void> {
  const done = new AbortController();
  const left = AbortSignal.any([readerLeft, done.signal]);
  const merge = createMerge();
  const reading: Reading = { writing: null, followed: null };

  const begin = ({ turn, rootPosition }: Extract<RoomFeedEntry, { kind: 'turn' }>): void => {
    reading.followed = turn.id;
    const from = start.turn?.id === turn.id ? start.turn.length : null;
    reading.writing = { id: turn.id, pieces: merge.pull(turn.events(from, left)), rootPosition };
  };

  try {
    let known: PresenceStates = new Map();
    const log = merge.pull(roomFeed(ctx, reader.room.id).follow(start.from, left));
    while (!left.aborted) {
      const { writing } = reading;
      const piece = writing?.pieces.next ?? null;
      const next = log.next;
      if (writing && piece && !piece.done) {
        writing.pieces.advance();
        yield withoutHiddenReference(reader, writing.rootPosition, piece.value);
      } else if (piece) {
        reading.writing = null;
      } else if (next?.done) {
        return;
      } else if (next && !(writing && isAfterWriting(next.value, writing.id))) {
        const item = next.value;
        log.advance();
        if (item.kind === 'turn') {
          if (item.turn.id !== reading.followed) begin(item);
        } else if (item.kind === 'present') {
          yield* presenceChanges(known, item.states);
          known = item.states;
        } else if (item.kind === 'notice') {
          if (item.userId !== reader.userId) yield item.event;
        } else if (isFor(reader, item.entry)) {
          yield eventFor(reader, item);
          if (isLastFor(reader, item.entry)) return;
        }
      } else {
        await merge.changed();
      }
    }
  } finally {
    done.abort();
  }
}

/** Returns whether an item must wait for the rest of the text of a turn. */
const isAfterWriting = (item: RoomFeedEntry, turnId: string): boolean =>
  item.kind === 'turn' || (item.kind === 'log' && item.entry.turnId === turnId);

const isFor = ({ room, userId }: Reader, entry: RoomLogEntry): boolean =>
  (entry.onlyUserId === null || entry.onlyUserId === userId) && isReadable(room, entry);

const isReadable = (room: Membership, position: RoomLogPosition): boolean =>
  room.history === 'all' || !isAtOrBefore(position, joinedAt(room));

const joinedAt = (room: Membership): RoomLogPosition => ({
  position: room.joinedPosition,
  sequence: room.joinedSequence,
});

/**
 * Returns the event for one reader. All readers share the feed, but what the reader may not read, and blocks between
 * them and an author or the owner of an agent, matter only to that reader.
 */
function eventFor(reader: Reader, { entry, event: shared }: Extract<RoomFeedEntry, { kind: 'log' }>): ChannelEvent {
  const { userId } = reader;
  const event = withoutHiddenReference(reader, entry.refersTo, shared);
  if (entry.blockedBy.includes(userId)) return { ...event, data: { ...event.data, blocked: true } };
  const hidden = entry.blockedFrom.filter((blocked) => blocked.userId === userId).map(({ agentId }) => agentId);
  return hidden.length > 0 ? { ...event, data: { ...event.data, agents: withoutAgents(event.data, hidden) } } : event;
}

/** Removes the id of the message at the position `refersTo` from an event if the reader may not read that message. */
function withoutHiddenReference({ room }: Reader, refersTo: number | null, event: ChannelEvent): ChannelEvent {
  const name = references.find((field) => field in event.data);
  if (name === undefined || refersTo === null || refersTo > hiddenPosition(room)) return event;
  return { ...event, data: { ...event.data, [name]: null } };
}

const references = ['reply_to', 'root_message_id'] as const;

interface WireAgent {
  agent_id: string;
}

const withoutAgents = ({ agents }: { agents?: WireAgent[] }, hidden: readonly string[]): WireAgent[] | undefined =>
  agents?.map((agent) => (hidden.includes(agent.agent_id) ? { ...agent, available: false } : agent));

/**
 * Returns whether an event is the reader's last: they left or were removed after they joined, or the room was deleted.
 */
const isLastFor = ({ room, userId }: Reader, { type, userId: about, sequence }: RoomLogEntry): boolean =>
  type === 'room.deleted' || (type === 'member.left' && about === userId && sequence > room.joinedSequence);

const positionForm = /^(\d{1,9})(?:\.(\d{1,9}))?$/;
const turnForm = /^(trn_[0-9a-f-]{36}):(\d{1,9})$/;

const findStarted = {
  name: 'channel_turn',
  text: `
    select started_position as position, started_sequence as sequence from room_turns
    where id = $1 and room_id = $2 and started_position is not null`,
};

/**
 * Returns the position at which a reader with this offset starts, not before what they may read; null for an offset that
 * the room never had. People write during a turn, so a reader that resumes inside its text starts where the turn started
 * and may receive messages twice.
 */
async function startAfter(ctx: Ctx, room: Membership, head: RoomLogPosition, after: string): Promise<Start | null> {
  const [, position, sequence = '0'] = positionForm.exec(after) ?? [];
  if (position !== undefined) {
    const from = { position: Number(position), sequence: Number(sequence) };
    if (from.position > head.position || from.sequence > head.sequence) return null;
    return { from: isReadable(room, from) ? from : joinedAt(room), turn: null };
  }
  const [, turnId = '', length = ''] = turnForm.exec(after) ?? [];
  const [from] = isId('trn_', turnId) ? await ctx.sql<RoomLogPosition>(findStarted, [turnId, room.id]) : [];
  return from ? { from, turn: { id: turnId, length: Number(length) } } : null;
}
