import type { Ctx } from '../../core/ctx.ts';
import { onCommitted, sendSql } from '../../core/database/transaction.ts';

/** Types of stored events of a room other than messages. */
export const roomEventTypes = [
  'member.joined',
  'member.left',
  'room.updated',
  'room.deleted',
  'message.deleted',
  'turn.done',
  'turn.failed',
] as const;
export type RoomEventType = (typeof roomEventTypes)[number];

/** A position in the log of a room: after the message at `position` and after the event with `sequence`. */
export interface RoomLogPosition {
  position: number;
  sequence: number;
}

interface LoggedEvent {
  type: RoomEventType;
  /** The user that the event is about. */
  userId?: string;
  turnId?: string;
  messageId?: string;
  onlyUserId?: string;
}

/** Returns the key under which `ctx.ports.tasks` wakes the readers of a room. */
export const roomKind = (roomId: string): string => `room:${roomId}`;

/** Wakes the readers of a room on every instance once the transaction commits. */
export const wakeRoom = (ctx: Ctx, roomId: string): void =>
  onCommitted(ctx, () => ctx.ports.tasks.wake(roomKind(roomId)));

const logEvent = {
  name: 'room_event_log',
  text: `
    with r as (
      update rooms set event_sequence = event_sequence + 1 where id = $1 returning last_position, event_sequence
    )
    insert into room_events (room_id, position, sequence, type, user_id, turn_id, message_id, only_user_id, created_at)
    select $1, r.last_position, r.event_sequence, $2, $3, $4, $5, $6, $7 from r
    returning position, sequence`,
};

const values = (ctx: Ctx, roomId: string, { type, ...about }: LoggedEvent) => {
  const { userId = null, turnId = null, messageId = null, onlyUserId = null } = about;
  return [roomId, type, userId, turnId, messageId, onlyUserId, ctx.clock.now()];
};

/**
 * Appends an event to the log of a room in the transaction that causes it, and wakes the readers. Returns its position,
 * which is the newest because the update locks the room.
 */
export async function logRoomEvent(tx: Ctx, roomId: string, event: LoggedEvent): Promise<RoomLogPosition> {
  wakeRoom(tx, roomId);
  const [logged] = await tx.sql<RoomLogPosition>(logEvent, values(tx, roomId, event));
  return logged ?? { position: 0, sequence: 0 };
}

/** Does the same as `logRoomEvent`, but its result is only awaited at the commit. */
export function sendRoomEvent(tx: Ctx, roomId: string, event: LoggedEvent): Promise<void> {
  wakeRoom(tx, roomId);
  return sendSql(tx, logEvent, values(tx, roomId, event));
}
