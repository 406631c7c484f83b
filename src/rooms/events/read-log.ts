import type { Ctx } from '../../core/ctx.ts';
import { type Picture, picturesOf } from '../../images/pictures.ts';
import { blockersOfAuthor, findMessagesAt } from '../messages/room-message.ts';
import { findMembers } from '../members/member-view.ts';
import { findRoomSettings } from '../room-view.ts';
import { findTurns, rootPosition } from '../turns/turn-view.ts';
import type { RoomEventType, RoomLogPosition } from './room-log.ts';

/** An entry of a room's log, with its recipients. */
export interface RoomLogEntry extends RoomLogPosition {
  type: RoomEventType | 'message.created';
  /** The user that the event is about. */
  userId: string | null;
  /** The turn that wrote the message or that the event is about. */
  turnId: string | null;
  /** Position of the message whose id `data` contains: the one it replies to, or the root of its turn. */
  refersTo: number | null;
  /** The only recipient; null means everyone. */
  onlyUserId: string | null;
  /** Users in the room who block the author of the message. */
  blockedBy: string[];
  /** People in the room to whom an agent in `data` is not available, because its owner blocks them. */
  blockedFrom: readonly BlockedFrom[];
  data: object;
}

interface BlockedFrom {
  agentId: string;
  userId: string;
}

type Key = Omit<RoomLogEntry, 'data' | 'blockedFrom'> & { messageId: string | null };

const entriesPerPage = 50;
/** A page ends with the message that reaches this size, because a slow reader keeps a page in memory. */
const pageBytes = 65_536;

// Reads both tables in one snapshot. Positions are assigned under the room's lock, so commits follow the order of the log.
const readKeys = {
  name: 'room_log_read',
  text: `
    select * from (
      select key.*, count(*) over ()::int as found, sum(bytes) over (order by position, sequence) - bytes as earlier
      from (
        (select position, 0 as sequence, 'message.created' as type, user_id as "userId", turn_id as "turnId",
          id as "messageId", reply_to as "refersTo", null as "onlyUserId", ${blockersOfAuthor} as "blockedBy",
          coalesce(octet_length(content), 0) as bytes
         from room_messages m where room_id = $1 and position > $2 order by position limit ${entriesPerPage})
        union all
        (select position, sequence, type, user_id, turn_id, message_id, (
            select ${rootPosition} from room_turns t where t.id = e.turn_id) as root, only_user_id, '{}', 0
         from room_events e where room_id = $1 and (position, sequence) > ($2, $3)
         order by position, sequence limit ${entriesPerPage})
        order by position, sequence limit ${entriesPerPage}
      ) key
    ) page
    where earlier < ${pageBytes} order by position, sequence`,
};

const findBlockedFrom = {
  name: 'room_agents_blocked_from',
  text: `
    select ra.agent_id as "agentId", m.user_id as "userId"
    from room_agents ra join agents a on a.id = ra.agent_id
      join room_members m on m.room_id = ra.room_id and m.state = 'joined'
      join blocks b on b.blocker_id = a.owner_id and b.blocked_id = m.user_id
    where ra.room_id = $1`,
};

/**
 * Returns one page of the events of a room after a position, with their current contents, and whether there may be more.
 * Performs no authorization check.
 */
export async function readRoomLog(
  ctx: Ctx,
  roomId: string,
  after: RoomLogPosition,
): Promise<{ entries: RoomLogEntry[]; hasMore: boolean }> {
  const rows = await ctx.sql<MeasuredKey>(readKeys, [roomId, after.position, after.sequence]);
  const found = rows[0]?.found ?? 0;
  const keys = rows.map(({ found: _, bytes: __, earlier: ___, ...key }) => key);
  const hasMore = found === entriesPerPage || keys.length < found;
  return { entries: keys.length === 0 ? [] : await withContents(ctx, roomId, keys), hasMore };
}

type MeasuredKey = Key & { found: number; bytes: number; earlier: number };

async function withContents(ctx: Ctx, roomId: string, keys: readonly Key[]): Promise<RoomLogEntry[]> {
  const wanted = <Value>(types: readonly string[], of: (key: Key) => Value | null): Value[] =>
    [...new Set(keys.filter(({ type }) => types.includes(type)).flatMap((key) => of(key) ?? []))] as Value[];
  const positions = wanted(['message.created'], ({ position }) => position);
  const turnIds = wanted(['turn.done', 'turn.failed'], ({ turnId }) => turnId);
  const userIds = wanted(['member.joined', 'member.left'], ({ userId }) => userId);
  const isUpdated = keys.some(({ type }) => type === 'room.updated');
  const [messages, turns, members, settings, blockedFrom] = await Promise.all([
    positions.length > 0 ? findMessagesAt(ctx, roomId, positions) : [],
    turnIds.length > 0 ? findTurns(ctx, turnIds) : [],
    userIds.length > 0 ? findMembers(ctx, roomId, userIds) : [],
    isUpdated ? findRoomSettings(ctx, roomId) : null,
    isUpdated ? ctx.sql<BlockedFrom>(findBlockedFrom, [roomId]) : [],
  ]);
  const [authors, agents] = await Promise.all([
    withPictures(
      ctx,
      messages.map(({ author }) => author),
    ),
    withPictures(ctx, settings?.agents ?? []),
  ]);
  const dataOf = ({ type, position, userId, turnId, messageId }: Key): object => {
    if (type === 'message.created') {
      const index = messages.findIndex((message) => message.position === position);
      return { ...messages[index], author: authors[index] };
    }
    if (type === 'turn.done' || type === 'turn.failed') return turns.find(({ id }) => id === turnId) ?? { id: turnId };
    if (type === 'room.updated') return settings ? { ...settings, agents } : { id: roomId };
    if (type === 'message.deleted') return { id: messageId };
    if (type === 'room.deleted') return { id: roomId };
    return members.find((member) => member.userId === userId) ?? { roomId, userId };
  };
  return keys.map(({ messageId: _, ...key }, i) => ({
    ...key,
    blockedFrom: key.type === 'room.updated' ? blockedFrom : [],
    data: dataOf(keys[i] as Key),
  }));
}

/** Adds the avatars as this service serves them, because browsers must not contact other hosts. */
async function withPictures<Shown extends { avatarUrl: string | null }>(
  ctx: Ctx,
  shown: readonly Shown[],
): Promise<(Shown & { picture: Picture | null })[]> {
  const urls = [...new Set(shown.flatMap(({ avatarUrl }) => avatarUrl ?? []))];
  const pictures = new Map((await picturesOf(ctx, urls)).map((picture, i) => [urls[i], picture]));
  return shown.map((one) => ({ ...one, picture: pictures.get(one.avatarUrl ?? '') ?? null }));
}

const readHead = {
  name: 'room_log_head',
  text: `select last_position as position, event_sequence as sequence from rooms where id = $1`,
};

/** Returns the position after the newest event of a room. */
export const roomHead = async (ctx: Ctx, roomId: string): Promise<RoomLogPosition> =>
  (await ctx.sql<RoomLogPosition>(readHead, [roomId]))[0] ?? { position: 0, sequence: 0 };

export const isAtOrBefore = (one: RoomLogPosition, other: RoomLogPosition): boolean =>
  one.position < other.position || (one.position === other.position && one.sequence <= other.sequence);
