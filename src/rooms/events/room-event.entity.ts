import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Room } from '../room.entity.ts';
import type { RoomEventType } from './room-log.ts';

const RoomEventSchema = defineEntity({
  name: 'RoomEvent',
  tableName: 'room_events',
  properties: {
    roomId: p.manyToOne(Room).mapToPk().name('room_id').deleteRule('cascade').primary(),
    /** Position of the newest message before the event. */
    position: p.integer().primary(),
    sequence: p.integer().primary(),
    type: p.text().$type<RoomEventType>(),
    /** The user that the event is about. */
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').strictNullable(),
    turnId: p.text().strictNullable(),
    messageId: p.text().strictNullable(),
    /** The only recipient; null means everyone. */
    onlyUserId: p.manyToOne(User).mapToPk().name('only_user_id').deleteRule('cascade').strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** An event of a room other than a message. */
export class RoomEvent extends RoomEventSchema.class {}
RoomEventSchema.setClass(RoomEvent);
