import { isBlockedBetween } from '../../accounts/blocks/blocks.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { publish } from '../../core/outbox.ts';
import { requireUnrestricted } from '../../moderation/restrictions.ts';
import { logRoomEvent, sendRoomEvent } from '../events/room-log.ts';
import { lockRoom } from '../membership.ts';
import { roomEventData } from '../room.events.ts';
import { transferInput } from '../room.input.ts';
import { requireRole } from '../room.policy.ts';
import { getRoom, type RoomView } from '../room-view.ts';
import { getMember } from './member-view.ts';
import { requireRoomCapacity, transferOwnership } from './ownership.ts';

/** Number of days for which an offer is open. */
const offerDays = 7;

const offer = {
  name: 'room_offer',
  text: `
    update rooms set offered_to = $2, offer_expires_at = now() + interval '${offerDays} days' where id = $1
    returning offer_expires_at as "expiresAt"`,
};

/**
 * Offers the ownership of a room to one of its members, for seven days. Nothing changes until they accept; a new offer
 * replaces an open one. Publishes `room.transfer_offered` to them. For the owner only.
 * @throws AppError `not_found`, `forbidden`, `conflict`
 */
export async function transferRoom(ctx: Ctx, roomId: string, input: unknown): Promise<RoomView> {
  const { userId } = parseInput(transferInput, input);
  return inTransaction(ctx, async (tx) => {
    const room = await lockRoom(tx, roomId);
    await requireUnrestricted(tx);
    requireRole(room.role === 'owner');
    const heir = await getMember(tx, roomId, userId);
    if (heir.userId === callerId(tx)) return getRoom(tx, roomId);
    const isHere = heir.state === 'joined' && heir.username !== null;
    if (!isHere || (await isBlockedBetween(tx, callerId(tx), userId)))
      throw new AppError('conflict', { message: 'Only a person who has joined the room can own it.' });
    const [open] = await tx.sql<{ expiresAt: Date }>(offer, [roomId, userId]);
    const { sequence } = await logRoomEvent(tx, roomId, { type: 'room.updated' });
    const expiresAt = open?.expiresAt ?? tx.clock.now();
    await publish(tx, userId, 'room.transfer_offered', { ...roomEventData(room, sequence), expiresAt });
    return getRoom(tx, roomId);
  });
}

/**
 * Accepts the offer of a room: the caller becomes its owner, and the previous owner a moderator. Each person then pays
 * for the replies that they cause, until the new owner decides otherwise.
 * @throws AppError `not_found`, `forbidden`, `plan_limit_exceeded`, `conflict` without an open offer to the caller
 */
export async function acceptRoomTransfer(ctx: Ctx, roomId: string): Promise<RoomView> {
  return inTransaction(ctx, async (tx) => {
    const room = await lockRoom(tx, roomId);
    await requireUnrestricted(tx);
    if (room.offeredTo !== callerId(tx)) throw noOffer();
    await requireRoomCapacity(tx, callerId(tx));
    await transferOwnership(tx, roomId, callerId(tx), room.ownerId);
    return getRoom(tx, roomId);
  });
}

const withdraw = {
  name: 'room_offer_withdraw',
  text: `update rooms set offered_to = null, offer_expires_at = null where id = $1`,
};

/**
 * Withdraws the offer of a room, for the owner, or declines it, for the person to whom it is offered.
 * @throws AppError `not_found`, `conflict` without an open offer of or to the caller
 */
export async function cancelRoomTransfer(ctx: Ctx, roomId: string): Promise<RoomView> {
  return inTransaction(ctx, async (tx) => {
    const { offeredTo, role } = await lockRoom(tx, roomId);
    if (offeredTo === null || (role !== 'owner' && offeredTo !== callerId(tx))) throw noOffer();
    await withdrawOffer(tx, roomId);
    return getRoom(tx, roomId);
  });
}

/** Ends an open offer. The transaction must hold the room's lock. */
export async function withdrawOffer(tx: Ctx, roomId: string): Promise<void> {
  await tx.sql(withdraw, [roomId]);
  await sendRoomEvent(tx, roomId, { type: 'room.updated' });
}

const noOffer = (): AppError =>
  new AppError('conflict', { message: 'No offer of this room is open. The owner can offer it again.' });
