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
    /** The setting, for every agent. */
    scene: p.text().strictNullable(),
    replyMode: p.text().$type<RoomReplyMode>(),
    agentHops: p.integer(),
    repliesPerMessage: p.integer(),
    payer: p.text().$type<RoomPayer>(),
    history: p.text().$type<RoomHistory>(),
    /** Of the newest message. */
    lastPosition: p.integer().default(0),
    /** Raised by every change that readers hear of. */
    eventSequence: p.integer().default(0),
    /** `position` in `room_agents` of the agent that answered last under `rotate`. */
    rotatedPosition: p.integer().strictNullable(),
    lastMessageAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Set while it waits to be removed; it is hidden from then on. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** A place where people and agents talk. */
export class Room extends RoomSchema.class {}
RoomSchema.setClass(Room);
