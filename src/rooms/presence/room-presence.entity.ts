import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Room } from '../room.entity.ts';

const RoomPresenceSchema = defineEntity({
  name: 'RoomPresence',
  tableName: 'room_presence',
  properties: {
    roomId: p.manyToOne(Room).mapToPk().name('room_id').deleteRule('cascade').primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    connectionId: p.text().primary(),
    instanceId: p.text(),
    state: p.text().$type<'active' | 'away'>(),
    typingUntil: p.datetime(3).strictNullable(),
    expiresAt: p.datetime(3),
  },
});

/** A connection of a person who is present in a room. Its lease expires unless its instance renews it. */
export class RoomPresence extends RoomPresenceSchema.class {}
RoomPresenceSchema.setClass(RoomPresence);
