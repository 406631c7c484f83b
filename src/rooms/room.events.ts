import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';
import type { RoomMessageView } from './messages/room-message.ts';
import type { Room } from './room.entity.ts';

interface RoomEventData {
  id: string;
  name: string;
  ownerId: string;
  createdAt: Date;
  /** Increases with each event of the room. */
  sequence: number;
}

interface RoomMemberEventData {
  roomId: string;
  userId: string;
  username: string;
  role: string;
  state: string;
  sequence: number;
}

interface RoomOfferData extends RoomEventData {
  expiresAt: Date;
}

interface RoomTransferData extends RoomEventData {
  previousOwnerId: string;
}

interface RoomEvents {
  'room.created': RoomEventData;
  'room.deleted': RoomEventData;
  'room.transfer_offered': RoomOfferData;
  'room.transferred': RoomTransferData;
  'room.member_joined': RoomMemberEventData;
  'room.member_left': RoomMemberEventData;
  'room.message_created': RoomMessageView & { sequence: number };
}

declare module '../core/outbox.ts' {
  interface EventData extends RoomEvents {}
}

const { userId, roomId, at } = exampleValues;
const text = { type: 'string' };
const example: RoomEventData = { id: roomId, name: 'Trip to Rome', ownerId: userId, createdAt: at, sequence: 1 };
const room = {
  properties: { id: text, name: text, owner_id: text, created_at: { type: 'string', format: 'date-time' } },
};
const member = { properties: { room_id: text, user_id: text, username: text, role: text, state: text } };
const joined: RoomMemberEventData = {
  roomId,
  userId,
  username: 'grace',
  role: 'member',
  state: 'joined',
  sequence: 4,
};

export const roomEvents: EventEntries<RoomEvents> = {
  'room.created': { description: 'A room was created.', data: [room], example },
  'room.deleted': {
    description: 'A room was deleted by its owner, or because the last person left.',
    data: [room],
    example: { ...example, sequence: 9 },
  },
  'room.transfer_offered': {
    description: 'The owner of a room offers it to you. You become its owner only if you accept.',
    data: [room, { properties: { expires_at: { type: 'string', format: 'date-time' } } }],
    example: { ...example, sequence: 5, expiresAt: exampleValues.later },
  },
  'room.transferred': {
    description: 'A room of yours has another owner, or a room has become yours: you accepted it, or its owner left.',
    data: [room, { properties: { previous_owner_id: text } }],
    example: { ...example, sequence: 6, previousOwnerId: userId },
  },
  'room.member_joined': { description: 'A person joined one of your rooms.', data: [member], example: joined },
  'room.member_left': {
    description: 'A person left one of your rooms, or was removed or banned; `state` shows which.',
    data: [member],
    example: { ...joined, state: 'left', sequence: 8 },
  },
  'room.message_created': {
    description: 'A person or an agent wrote a message in one of your rooms.',
    data: [{ resource: 'RoomMessage' }],
    example: {
      id: 'rms_019bc0de-0000-7000-8000-000000000011',
      roomId,
      position: 7,
      author: { kind: 'user', id: userId, name: 'Grace', avatarUrl: null },
      content: '@Ada is 91 a prime?',
      mentions: [{ kind: 'agent', id: exampleValues.agentId }],
      replyTo: null,
      turnId: null,
      citations: null,
      truncated: false,
      broken: false,
      deleted: false,
      blocked: false,
      createdAt: at,
      sequence: 7,
    },
  },
};

export const roomEventData = ({ id, name, ownerId, createdAt }: Room, sequence: number): RoomEventData => ({
  id,
  name,
  ownerId,
  createdAt,
  sequence,
});
