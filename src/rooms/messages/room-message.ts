import type { Ctx } from '../../core/ctx.ts';
import type { Citation } from '../../knowledge/retrieval/citations.ts';
import { isAvailable, isOpen } from '../room-view.ts';
import type { Mention } from './mentions.ts';
import type { RoomAuthorKind } from './room-message.entity.ts';

export interface RoomAuthor {
  kind: RoomAuthorKind;
  /** Null when the person or agent no longer exists. */
  id: string | null;
  name: string;
  avatarUrl: string | null;
}

/** A message as the members of its room see it. */
export interface RoomMessageView {
  id: string;
  roomId: string;
  position: number;
  author: RoomAuthor;
  /** Empty after deletion. */
  content: string;
  mentions: Mention[];
  /** Id of the message that this one replies to, unless the reader may not read it. */
  replyTo: string | null;
  turnId: string | null;
  citations: Citation[] | null;
  truncated: boolean;
  /** Whether it is what was shown of a reply that failed. */
  broken: boolean;
  deleted: boolean;
  /** Whether the reader blocks the author. */
  blocked: boolean;
  createdAt: Date;
}

/** Name shown for a person or agent that no longer exists. */
export const goneName = 'gone';

const author = `
  case m.author_kind
    when 'user' then jsonb_build_object('kind', 'user', 'id', u.id,
      'name', coalesce(u.display_name, u.username, '${goneName}'), 'avatarUrl', u.avatar_url)
    when 'agent' then jsonb_build_object('kind', 'agent', 'id', a.id, 'name', coalesce(m.author_name, '${goneName}'),
      'avatarUrl', a.avatar_url)
    else jsonb_build_object('kind', 'system', 'id', null, 'name', 'system', 'avatarUrl', null)
  end`;

/**
 * Returns the select list of messages `m` as seen by the account `reader`, who may not read messages up to the position
 * `hidden`. Requires `messageJoins`.
 */
export const messageColumns = (
  reader: string,
  hidden = '0',
): string => `m.id, m.room_id as "roomId", m.position, ${author} as author,
  case when m.deleted_at is null then m.content else '' end as content,
  case when m.deleted_at is null then m.mentions else '[]'::jsonb end as mentions, (
    select r.id from room_messages r where r.room_id = m.room_id and r.position = m.reply_to and r.position > ${hidden}) as "replyTo",
  m.turn_id as "turnId", case when m.deleted_at is null then m.citations end as citations, m.truncated, m.broken,
  m.deleted_at is not null as deleted, exists (
    select from blocks b where b.blocker_id = ${reader} and b.blocked_id = m.user_id) as blocked, m.created_at as "createdAt"`;

/** SQL array of the ids of people in the room of `m` who block its author. */
export const blockersOfAuthor = `array(
  select b.blocker_id from room_members bm join blocks b on b.blocker_id = bm.user_id and b.blocked_id = m.user_id
  where bm.room_id = m.room_id and bm.state = 'joined')`;

/** Joins the author. Accounts that are being deleted and agents that others cannot use any more are shown as gone. */
export const messageJoins = `
  left join users u on u.id = m.user_id and u.deletion_requested_at is null
  left join agents a on a.id = m.agent_id and a.deleted_at is null and (${isOpen}
    or exists (select from room_agents ra where ra.room_id = m.room_id and ra.agent_id = a.id and ${isAvailable}))`;

const findById = {
  name: 'room_message_by_id',
  text: `select ${messageColumns('null')} from room_messages m ${messageJoins} where m.id = $1`,
};

/**
 * Returns a message as seen by a reader without blocks, or null when it is not stored. Performs no authorization
 * check.
 */
export const findRoomMessage = async ({ sql }: Ctx, id: string): Promise<RoomMessageView | null> =>
  (await sql<RoomMessageView>(findById, [id]))[0] ?? null;

const findAt = {
  name: 'room_messages_at',
  text: `
    select ${messageColumns('null')} from room_messages m ${messageJoins} where m.room_id = $1 and m.position = any ($2)`,
};

/**
 * Returns the messages at these positions of a room, as seen by a reader without blocks. Performs no authorization
 * check.
 */
export const findMessagesAt = (ctx: Ctx, roomId: string, positions: readonly number[]): Promise<RoomMessageView[]> =>
  ctx.sql<RoomMessageView>(findAt, [roomId, positions]);
