import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Room } from '../room.entity.ts';
import type { RoomRole } from '../room.input.ts';

const RoomInvitationSchema = defineEntity({
  name: 'RoomInvitation',
  tableName: 'room_invitations',
  properties: {
    id: p.text().primary(),
    roomId: p.manyToOne(Room).mapToPk().name('room_id').deleteRule('cascade'),
    createdBy: p.manyToOne(User).mapToPk().name('created_by').deleteRule('cascade'),
    tokenHash: p.blob().hidden(),
    role: p.text().$type<Exclude<RoomRole, 'owner'>>(),
    maxUses: p.integer(),
    uses: p.integer().default(0),
    expiresAt: p.datetime(3),
    revokedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** A link with which people join a room. */
export class RoomInvitation extends RoomInvitationSchema.class {}
RoomInvitationSchema.setClass(RoomInvitation);
