import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { isUnblockedMembership } from './members/may-invite.ts';
import { Room } from './room.entity.ts';
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

const columns = `${columnsOf(Room, 'r')}, m.role, m.state, m.joined_position as "joinedPosition",
  m.joined_sequence as "joinedSequence", m.joined_turn as "joinedTurn", m.muted_until as "mutedUntil"`;
const from = `
  from rooms r join room_members m on m.room_id = r.id and m.user_id = $2 where r.id = $1 and r.deleted_at is null
    and ${isUnblockedMembership}`;

const findStatement = { name: 'room_membership', text: `select ${columns} ${from}` };
const lockStatement = { name: 'room_membership_lock', text: `select ${columns} ${from} for no key update of r` };

/**
 * Returns the caller's membership in a room that they have joined.
 * @throws AppError `not_found`
 */
export const getMembership = (ctx: Ctx, roomId: string): Promise<Membership> =>
  read(ctx, roomId, findStatement, joined);

/**
 * Locks a room that the caller has joined, so that no other transaction changes it or its members.
 * @throws AppError `not_found`
 */
export const lockRoom = (tx: Ctx, roomId: string): Promise<Membership> => read(tx, roomId, lockStatement, joined);

/** Does the same as `lockRoom` for a person who is invited. */
export const lockInvited = (tx: Ctx, roomId: string): Promise<Membership> => read(tx, roomId, lockStatement, 'invited');

const joined: MemberState = 'joined';

async function read(
  ctx: Ctx,
  roomId: string,
  statement: typeof findStatement,
  state: MemberState,
): Promise<Membership> {
  const [membership] = isId('room_', roomId) ? await ctx.sql<Membership>(statement, [roomId, callerId(ctx)]) : [];
  if (membership?.state !== state) throw notFound();
  return membership;
}

/** Returns the position up to which a member may not read. */
export const hiddenPosition = ({ history, joinedPosition }: Pick<Membership, 'history' | 'joinedPosition'>): number =>
  history === 'from_join' ? joinedPosition : 0;

/** Returns the number up to which a member may not see turns. */
export const hiddenTurn = ({ history, joinedTurn }: Pick<Membership, 'history' | 'joinedTurn'>): number =>
  history === 'from_join' ? joinedTurn : 0;
