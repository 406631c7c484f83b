import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Room } from '../room.entity.ts';
import type { RoomEventType } from './room-log.ts';

const RoomEventSchema = defineEntity({
  name: 'RoomEvent',
  tableName: 'room_events',
  properties: {
    roomId: p.manyToOne(Room).mapToPk().name('room_id').deleteRule('cascade').primary(),
    /** Of the newest message before it. */
    position: p.integer().primary(),
    sequence: p.integer().primary(),
    type: p.text().$type<RoomEventType>(),
    /** Whom it is about. */
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').strictNullable(),
    turnId: p.text().strictNullable(),
    messageId: p.text().strictNullable(),
    /** The only person who is sent it; everyone when null. */
    onlyUserId: p.manyToOne(User).mapToPk().name('only_user_id').deleteRule('cascade').strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** Events of a room other than messages. */
export class RoomEvent extends RoomEventSchema.class {}
RoomEventSchema.setClass(RoomEvent);
