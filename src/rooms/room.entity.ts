import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import type { RoomHistory, RoomPayer, RoomReplyMode } from './room.input.ts';

const RoomSchema = defineEntity({
  name: 'Room',
  tableName: 'rooms',
  properties: {
    id: p.text().primary(),
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade'),
    name: p.text(),
    description: p.text().strictNullable(),
    /** Description of the setting, included in the prompt of every agent. */
    scene: p.text().strictNullable(),
    replyMode: p.text().$type<RoomReplyMode>(),
    agentHops: p.integer(),
    repliesPerMessage: p.integer(),
    payer: p.text().$type<RoomPayer>(),
    history: p.text().$type<RoomHistory>(),
    /** Position of the newest message. */
    lastPosition: p.integer().default(0),
    /** Incremented by every event that readers receive. */
    eventSequence: p.integer().default(0),
    /** `position` in `room_agents` of the agent that replied last under `rotate`. */
    rotatedPosition: p.integer().strictNullable(),
    /** The person to whom the owner offers the room; null without an offer. */
    offeredTo: p.manyToOne(User).mapToPk().name('offered_to').deleteRule('set null').strictNullable(),
    offerExpiresAt: p.datetime(3).strictNullable(),
    lastMessageAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Set when the room is deleted. It is hidden from then on, until a task removes it. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** A group chat of people and agents. */
export class Room extends RoomSchema.class {}
RoomSchema.setClass(Room);
