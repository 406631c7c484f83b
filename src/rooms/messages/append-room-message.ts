import type { Citation } from '../../knowledge/retrieval/citations.ts';
import type { Ctx } from '../../core/ctx.ts';
import { newId } from '../../core/ids.ts';
import { publish } from '../../core/outbox.ts';
import { wakeRoom } from '../events/room-log.ts';
import type { Mention } from './mentions.ts';
import type { RoomAuthor, RoomMessageView } from './room-message.ts';

export interface NewRoomMessage {
  id?: string;
  roomId: string;
  /** Owner of the room, who receives the message as an event. */
  ownerId: string;
  author: RoomAuthor;
  content: string;
  mentions: readonly Mention[];
  replyTo?: { id: string; position: number } | null;
  turnId?: string | null;
  citations?: readonly Citation[];
  truncated?: boolean;
  /** Whether it is what was shown of a reply that failed. */
  broken?: boolean;
}

// One statement takes the next position, which gives all messages of the room one order, stores the message there and
// advances the author's read position.
const append = {
  name: 'room_message_append',
  text: `
    with r as (
      update rooms set last_position = last_position + 1, event_sequence = event_sequence + 1, last_message_at = $9
      where id = $2 and deleted_at is null
      returning last_position, event_sequence
    ), m as (
      insert into room_messages (id, room_id, position, author_kind, user_id, agent_id, author_name, content, mentions, reply_to,
        turn_id, citations, truncated, broken, created_at)
      select $1, $2, r.last_position, $3, $4, $5, $6, $7, $8::jsonb, $10, $11, $12::jsonb, $13, $15, $9 from r
    ), seen as (
      update room_members set last_read_position = r.last_position from r where room_id = $2 and user_id = $4
    )
    select last_position as position, event_sequence as sequence,
      exists (select from blocks where blocker_id = $14 and blocked_id = $4) as blocked
    from r`,
};

/**
 * Stores a message as the room's newest, publishes `room.message_created` and wakes the readers. Returns null when the
 * room no longer exists. Call it inside a transaction.
 */
export async function appendRoomMessage(tx: Ctx, message: NewRoomMessage): Promise<RoomMessageView | null> {
  const { id = newId('rms_'), roomId, ownerId, author, content, replyTo = null, turnId = null } = message;
  const { citations = [], truncated = false, broken = false } = message;
  const isUser = author.kind === 'user';
  const mentions = [...message.mentions];
  const used = citations.length > 0 ? [...citations] : null;
  const createdAt = tx.clock.now();
  const [stored] = await tx.sql<{ position: number; sequence: number; blocked: boolean }>(append, [
    id,
    roomId,
    author.kind,
    isUser ? author.id : null,
    isUser ? null : author.id,
    isUser ? null : author.name,
    content,
    JSON.stringify(mentions),
    createdAt,
    replyTo?.position ?? null,
    turnId,
    used && JSON.stringify(used),
    truncated,
    ownerId,
    broken,
  ]);
  if (!stored) return null;
  const { position, sequence, blocked } = stored;
  const view: RoomMessageView = {
    id,
    roomId,
    position,
    author,
    content,
    mentions,
    replyTo: replyTo?.id ?? null,
    turnId,
    citations: used,
    truncated,
    broken,
    deleted: false,
    blocked: false,
    createdAt,
  };
  await publish(tx, ownerId, 'room.message_created', { ...view, blocked, sequence });
  wakeRoom(tx, roomId);
  return view;
}
