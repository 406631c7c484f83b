import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { lockInvited } from '../membership.ts';
import { getRoom, type RoomView } from '../room-view.ts';
import { admit } from './admit.ts';
import { getOwnMember } from './member-view.ts';

/** Accepts an invitation by name. @throws AppError `not_found`, `plan_limit_exceeded`, `conflict` */
export const joinRoom = (ctx: Ctx, roomId: string): Promise<RoomView> =>
  inTransaction(ctx, async (tx) => {
    const room = await lockInvited(tx, roomId);
    const { username } = await getOwnMember(tx, roomId);
    await admit(tx, { room, userId: callerId(tx), username: username ?? '', role: room.role });
    return getRoom(tx, roomId);
  });

const decline = {
  name: 'room_member_decline',
  text: `update room_members set state = 'left' where room_id = $1 and user_id = $2`,
};

/** Declines an invitation by name. @throws AppError `not_found` */
export async function declineRoom(ctx: Ctx, roomId: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    await lockInvited(tx, roomId);
    await tx.sql(decline, [roomId, callerId(tx)]);
  });
  return { id: roomId, deleted: true };
}
