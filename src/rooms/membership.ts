import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import type { SqlValue, Statement } from '../core/database/sql.ts';
import { lockThenRead } from '../core/database/transaction.ts';
import { notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { isOpenMembership } from './members/may-invite.ts';
import { Room } from './room.entity.ts';
import { openOffer } from './room-view.ts';
import type { MemberState, RoomRole } from './room.input.ts';

/** A room with the caller's membership in it. */
export interface Membership extends Room {
  role: RoomRole;
  state: MemberState;
  joinedPosition: number;
  joinedSequence: number;
  joinedTurn: number;
  mutedUntil: Date | null;
}

const columns = `${columnsOf(Room, 'r', { computed: openOffer })}, m.role, m.state, m.joined_position as "joinedPosition",
  m.joined_sequence as "joinedSequence", m.joined_turn as "joinedTurn", m.muted_until as "mutedUntil"`;
const findStatement = {
  name: 'room_membership',
  text: `
    select ${columns} from rooms r join room_members m on m.room_id = r.id and m.user_id = $2
    where r.id = $1 and r.deleted_at is null and ${isOpenMembership}`,
};
const lockStatement = { name: 'room_lock', text: `select 1 as locked from rooms where id = $1 for no key update` };

/** Locks a room. The room's lock is always taken before the locks of its turns. */
export const lockRoomOnly = async (tx: Ctx, roomId: string): Promise<void> =>
  void (await tx.sql(lockStatement, [roomId]));

/**
 * Locks a room and then reads, so that what the statement returns is valid until the transaction ends. The first value
 * is the id of the room.
 */
export const readLocked = <Row extends object>(
  tx: Ctx,
  statement: Statement,
  values: readonly [roomId: string, ...SqlValue[]],
): Promise<Row[]> => lockThenRead<Row>(tx, [lockStatement, [values[0]]], [statement, values]);

/**
 * Returns the caller's membership in a room that they have joined.
 * @throws AppError `not_found`
 */
export const getMembership = (ctx: Ctx, roomId: string): Promise<Membership> =>
  required(roomId, joined, () => ctx.sql(findStatement, [roomId, callerId(ctx)]));

/**
 * Locks a room that the caller has joined, so that no other transaction changes it or its members.
 * @throws AppError `not_found`
 */
export const lockRoom = (tx: Ctx, roomId: string): Promise<Membership> => lockMembership(tx, roomId, joined);

/** Does the same as `lockRoom` for a person who is invited. */
export const lockInvited = (tx: Ctx, roomId: string): Promise<Membership> => lockMembership(tx, roomId, 'invited');

const joined: MemberState = 'joined';

const lockMembership = (tx: Ctx, roomId: string, state: MemberState): Promise<Membership> =>
  required(roomId, state, () => readLocked(tx, findStatement, [roomId, callerId(tx)]));

async function required(roomId: string, state: MemberState, read: () => Promise<Membership[]>): Promise<Membership> {
  const [membership] = isId('room_', roomId) ? await read() : [];
  if (membership?.state !== state) throw notFound();
  return membership;
}

/** Returns the position up to which a member may not read. */
export const hiddenPosition = ({ history, joinedPosition }: Pick<Membership, 'history' | 'joinedPosition'>): number =>
  history === 'from_join' ? joinedPosition : 0;

/** Returns the number up to which a member may not see turns. */
export const hiddenTurn = ({ history, joinedTurn }: Pick<Membership, 'history' | 'joinedTurn'>): number =>
  history === 'from_join' ? joinedTurn : 0;
