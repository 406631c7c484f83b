import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import type { Citation } from '../../knowledge/retrieval/citations.ts';
import { Room } from '../room.entity.ts';
import type { Mention } from './mentions.ts';

export type RoomAuthorKind = 'user' | 'agent' | 'system';

const RoomMessageSchema = defineEntity({
  name: 'RoomMessage',
  tableName: 'room_messages',
  properties: {
    roomId: p.manyToOne(Room).mapToPk().name('room_id').deleteRule('cascade').primary(),
    /** Position in the room, starting at 1 without gaps. */
    position: p.integer().primary(),
    id: p.text(),
    authorKind: p.text().$type<RoomAuthorKind>(),
    /** Null for agents, and after the account was deleted. */
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('set null').strictNullable(),
    agentId: p.text().strictNullable(),
    /** Name of the agent at the time of the message. */
    authorName: p.text().strictNullable(),
    content: p.text(),
    mentions: p.json<Mention[]>().defaultRaw(`'[]'::jsonb`),
    /** Position of the message that this one replies to. */
    replyTo: p.integer().strictNullable(),
    turnId: p.text().strictNullable(),
    citations: p.json<Citation[]>().strictNullable(),
    /** Whether the reply ended at a length limit. */
    truncated: p.boolean().default(false),
    /** Whether the message is what was shown of a reply that failed. */
    broken: p.boolean().default(false),
    deletedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** A message in a room. */
export class RoomMessage extends RoomMessageSchema.class {}
RoomMessageSchema.setClass(RoomMessage);
