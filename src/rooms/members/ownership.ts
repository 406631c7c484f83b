import { lockPlan } from '../../accounts/plan.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { publish } from '../../core/outbox.ts';
import { logRoomEvent } from '../events/room-log.ts';
import { roomEventData } from '../room.events.ts';
import { Room } from '../room.entity.ts';
import { columnsOf } from '../../core/database/columns-of.ts';

const countOwned = {
  name: 'rooms_count_owned',
  text: `select count(*) as total from rooms where owner_id = $1 and deleted_at is null`,
};

/** Returns how many rooms an account may own beyond those that it owns. Locks the account's row until the commit. */
async function leftRooms(tx: Ctx, userId: string): Promise<{ left: number; limit: number }> {
  const [plan, [row]] = await Promise.all([lockPlan(tx, userId), tx.sql<{ total: number }>(countOwned, [userId])]);
  const limit = tx.catalog.planLimits.roomsOwned[plan];
  return { left: limit - (row?.total ?? 0), limit };
}

/**
 * Requires that an account may own one more room. Locks its row, so that concurrent requests cannot exceed the limit.
 * @throws AppError `plan_limit_exceeded`
 */
export async function requireRoomCapacity(tx: Ctx, userId: string): Promise<void> {
  const { left, limit } = await leftRooms(tx, userId);
  if (left > 0) return;
  throw new AppError('plan_limit_exceeded', {
    message: `Your plan allows ${limit} rooms. Delete one or choose a larger plan.`,
  });
}

const findSuccessors = {
  name: 'room_heirs',
  text: `
    select m.user_id as "userId" from room_members m join users u on u.id = m.user_id
    where m.room_id = $1 and m.user_id <> $2 and m.state = 'joined' and u.deletion_requested_at is null
    order by (m.role = 'moderator') desc, m.joined_at, m.user_id`,
};

/**
 * Returns who owns a room after its owner: the longest-standing moderator, else member, whose plan allows another room.
 * Null if no one is left. `anyone` takes the first one if no plan allows it, for an owner whose account is gone.
 * @throws AppError `conflict` when no plan allows it
 */
export async function chooseSuccessor(
  tx: Ctx,
  roomId: string,
  ownerId: string,
  anyone: boolean,
): Promise<string | null> {
  const people = await tx.sql<{ userId: string }>(findSuccessors, [roomId, ownerId]);
  for (const { userId } of people) if ((await leftRooms(tx, userId)).left > 0) return userId;
  const [first] = people;
  if (!first || anyone) return first?.userId ?? null;
  const message =
    'No other person in the room can own another room, because their plans do not allow it. Delete the room instead.';
  throw new AppError('conflict', { message });
}

const transferStatement = {
  name: 'room_hand_over',
  text: `
    with roles as (
      update room_members set role = case when user_id = $2 then 'owner' else 'moderator' end
      where room_id = $1 and (user_id = $2 or role = 'owner')
    )
    update rooms r set owner_id = $2, payer = 'sender', offered_to = null, offer_expires_at = null, updated_at = $3
    where id = $1 returning ${columnsOf(Room, 'r')}`,
};

/**
 * Transfers a room to one of its members and makes the previous owner a moderator. From then on each person pays for the
 * replies that they cause, until the new owner decides otherwise. Publishes `room.transferred` to both. The transaction
 * must hold the room's lock.
 */
export async function transferOwnership(
  tx: Ctx,
  roomId: string,
  userId: string,
  previousOwnerId: string,
): Promise<void> {
  const [room] = await tx.sql<Room>(transferStatement, [roomId, userId, tx.clock.now()]);
  await revokeInvitationsBy(tx, roomId, previousOwnerId, 'moderator');
  const { sequence } = await logRoomEvent(tx, roomId, { type: 'room.updated' });
  if (!room) return;
  const data = { ...roomEventData(room, sequence), previousOwnerId };
  for (const accountId of [userId, previousOwnerId]) await publish(tx, accountId, 'room.transferred', data);
}

// An invitation is a right of its maker, so it ends with the maker's role.
const revoke = {
  name: 'room_revoke_made',
  text: `
    with links as (
      update room_invitations set revoked_at = $3
      where room_id = $1 and created_by = $2 and revoked_at is null and ($4 = 'member' or role = 'moderator')
    )
    update room_members set state = 'removed', invited_by = null
    where room_id = $1 and invited_by = $2 and state = 'invited' and ($4 = 'member' or role = 'moderator')`,
};

/**
 * Revokes the open links and the invitations by name that a person made, for someone who is no longer a moderator
 * (`member`), or only those for moderators, for someone who is no longer the owner (`moderator`). The transaction must
 * hold the room's lock.
 */
export const revokeInvitationsBy = async (
  tx: Ctx,
  roomId: string,
  userId: string,
  from: 'member' | 'moderator',
): Promise<void> => void (await tx.sql(revoke, [roomId, userId, tx.clock.now(), from]));
