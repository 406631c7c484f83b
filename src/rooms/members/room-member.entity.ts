import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Room } from '../room.entity.ts';
import type { MemberState, RoomRole } from '../room.input.ts';

const RoomMemberSchema = defineEntity({
  name: 'RoomMember',
  tableName: 'room_members',
  properties: {
    roomId: p.manyToOne(Room).mapToPk().name('room_id').deleteRule('cascade').primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    role: p.text().$type<RoomRole>(),
    state: p.text().$type<MemberState>(),
    /** Who invited the person by name, until they join; null in invitations by older releases. */
    invitedBy: p.manyToOne(User).mapToPk().name('invited_by').deleteRule('set null').strictNullable(),
    /** Position in the log at which the membership began. */
    joinedPosition: p.integer().default(0),
    joinedSequence: p.integer().default(0),
    /** Number of the newest turn when the membership began. */
    joinedTurn: p.integer().default(0),
    lastReadPosition: p.integer().default(0),
    mutedUntil: p.datetime(3).strictNullable(),
    showsPresence: p.boolean().default(true),
    joinedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** A current or former member of a room, or an invited person. */
export class RoomMember extends RoomMemberSchema.class {}
RoomMemberSchema.setClass(RoomMember);
