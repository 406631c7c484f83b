import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { invalidField, notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { sendRoomEvent } from '../events/room-log.ts';
import { type Membership, lockRoom } from '../membership.ts';
import { updateMemberInput } from '../room.input.ts';
import { canManage, requireRole } from '../room.policy.ts';
import { endMembership, leaveRoom } from './leave.ts';
import { getMember, type MemberView } from './member-view.ts';
import { revokeInvitationsBy } from './ownership.ts';

type Changes = z.output<typeof updateMemberInput>;

const change = {
  name: 'room_member_change',
  text: `
    update room_members set role = coalesce($3, role), muted_until = case when $4 then $5 else muted_until end,
      shows_presence = coalesce($6, shows_presence)
    where room_id = $1 and user_id = $2`,
};
const setState = {
  name: 'room_member_set_state',
  text: `update room_members set state = $3 where room_id = $1 and user_id = $2`,
};

/**
 * Changes a member. The owner may change the role; people who may moderate the member change `muted_until` and the
 * state (remove, ban, lift a ban); members change whether they show their own presence. Each of them
 * may send along what is already so.
 * @throws AppError `invalid_request`, `not_found`, `forbidden`
 */
export async function updateRoomMember(ctx: Ctx, roomId: string, userId: string, input: unknown): Promise<MemberView> {
  const given = parseInput(updateMemberInput, input);
  return inTransaction(ctx, async (tx) => {
    const room = await lockRoom(tx, roomId);
    const member = await getMember(tx, roomId, userId);
    const mayChange = userId === callerId(tx) || canManage(room.role, member.role);
    const changes = mayChange ? changesTo(member, given) : given;
    if (Object.keys(changes).length === 0) return member;
    requireAllowed(tx, room, member, changes);
    const { role = null, mutedUntil, showsPresence = null, state } = changes;
    const sets = mutedUntil !== undefined;
    await tx.sql(change, [roomId, userId, role, sets, mutedUntil ?? null, showsPresence]);
    if (role === 'member') await revokeInvitationsBy(tx, roomId, userId, role);
    if (state !== undefined) await moveTo(tx, room, member, state);
    else await sendRoomEvent(tx, roomId, { type: 'room.updated' });
    return getMember(tx, roomId, userId);
  });
}

/** Returns what is not so already: a client may send a member as it received them. */
const changesTo = (member: MemberView, given: Changes): Changes =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isDeepStrictEqual(value, member[name as keyof Changes])),
  );

function requireAllowed(tx: Ctx, room: Membership, member: MemberView, changes: Changes): void {
  const { role, state, mutedUntil, showsPresence } = changes;
  const isSelf = member.userId === callerId(tx);
  requireRole(role === undefined || (room.role === 'owner' && !isSelf));
  if (role === 'owner')
    throw invalidField('role', 'not_allowed', 'role must be moderator or member; a transfer changes the owner');
  requireRole((state === undefined && mutedUntil === undefined) || canManage(room.role, member.role));
  requireRole(showsPresence === undefined || isSelf);
}

async function moveTo(
  tx: Ctx,
  room: Membership,
  member: MemberView,
  state: NonNullable<Changes['state']>,
): Promise<void> {
  const { userId } = member;
  const isLifted = state === 'left' && member.state === 'banned';
  const isEnd = state === 'removed' || state === 'banned';
  if (!isLifted && !isEnd) {
    throw invalidField('state', 'not_allowed', 'state must be removed, banned, or left for someone who is banned');
  }
  if (isEnd && member.state === 'joined') return endMembership(tx, room, userId, state);
  await tx.sql(setState, [room.id, userId, state]);
}

/**
 * Removes a person or withdraws their invitation, for people who may moderate them. For the caller's own id it is the
 * same as leaving.
 * @throws AppError `not_found`, `forbidden`
 */
export async function removeRoomMember(
  ctx: Ctx,
  roomId: string,
  userId: string,
): Promise<{ id: string; deleted: true }> {
  if (userId === callerId(ctx)) await leaveRoom(ctx, roomId);
  else await inTransaction(ctx, (tx) => remove(tx, roomId, userId));
  return { id: userId, deleted: true };
}

async function remove(tx: Ctx, roomId: string, userId: string): Promise<void> {
  const room = await lockRoom(tx, roomId);
  const member = await getMember(tx, roomId, userId);
  requireRole(canManage(room.role, member.role));
  if (member.state !== 'joined' && member.state !== 'invited') throw notFound();
  await moveTo(tx, room, member, 'removed');
}
