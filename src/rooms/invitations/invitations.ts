import { callerId } from '../../accounts/caller.ts';
import { randomToken, sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, invalidField, notFound } from '../../core/errors.ts';
import { isId, newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { requireUnrestricted } from '../../moderation/restrictions.ts';
import { getMembership, lockRoom } from '../membership.ts';
import { createInvitationInput, longestInvitationMs, usualInvitationMs } from '../room.input.ts';
import { moderates, requireRole } from '../room.policy.ts';
import { RoomInvitation } from './room-invitation.entity.ts';

export type InvitationView = Omit<RoomInvitation, 'tokenHash'>;

const columns = columnsOf(RoomInvitation, 'i', { except: ['tokenHash'] });

/** Maximum number of usable links of a room. */
const maxInvitations = 50;

const count = {
  name: 'room_invitations_count',
  text: `
    select count(*) as total from room_invitations
    where room_id = $1 and revoked_at is null and uses < max_uses and expires_at > $2`,
};

/**
 * Creates an invitation link, for moderators; only the owner can create one that makes people moderators. Only this
 * response contains the token.
 * @throws AppError `invalid_request`, `not_found`, `forbidden`, `conflict`
 */
export async function createRoomInvitation(
  ctx: Ctx,
  roomId: string,
  input: unknown,
): Promise<{ invitation: InvitationView; token: string }> {
  const now = ctx.clock.now();
  const { role = 'member', expiresAt, maxUses = 10 } = parseInput(createInvitationInput, input);
  const leftMs = expiresAt ? expiresAt.getTime() - now.getTime() : usualInvitationMs;
  if (!(leftMs > 0 && leftMs <= longestInvitationMs))
    throw invalidField('expiresAt', 'out_of_range', 'expiresAt must be within the next 30 days');
  const token = randomToken();
  const id = newId('rin_');
  const invitation = await inTransaction(ctx, async (tx) => {
    const room = await lockRoom(tx, roomId);
    await requireUnrestricted(tx);
    requireRole(room.role === 'owner' || (moderates(room.role) && role === 'member'));
    const [open] = await tx.sql<{ total: number }>(count, [roomId, now]);
    if ((open?.total ?? 0) >= maxInvitations)
      throw new AppError('conflict', {
        message: `A room can have at most ${maxInvitations} valid links. Revoke one first.`,
      });
    const created = tx.em.create(RoomInvitation, {
      id,
      roomId,
      createdBy: callerId(tx),
      tokenHash: sha256(token),
      role,
      maxUses,
      uses: 0,
      expiresAt: new Date(now.getTime() + leftMs),
      revokedAt: null,
      createdAt: now,
    });
    await tx.em.persist(created).flush();
    return created;
  });
  return { invitation, token };
}

const list = {
  name: 'room_invitations_list',
  text: `
    select ${columns} from room_invitations i where i.room_id = $1 order by i.created_at desc, i.id desc limit 200`,
};

/**
 * Lists the links of a room, newest first, without their tokens.
 * @throws AppError `not_found`, `forbidden`
 */
export async function listRoomInvitations(ctx: Ctx, roomId: string): Promise<InvitationView[]> {
  const { role } = await getMembership(ctx, roomId);
  requireRole(moderates(role));
  return ctx.sql<InvitationView>(list, [roomId]);
}

const revoke = {
  name: 'room_invitation_revoke',
  text: `
    update room_invitations i set revoked_at = coalesce(i.revoked_at, $3) where i.id = $1 and i.room_id = $2
    returning ${columns}`,
};

/**
 * Revokes a link with immediate effect.
 * @throws AppError `not_found`, `forbidden`
 */
export async function revokeRoomInvitation(ctx: Ctx, roomId: string, id: string): Promise<InvitationView> {
  return inTransaction(ctx, async (tx) => {
    const { role } = await lockRoom(tx, roomId);
    requireRole(moderates(role));
    const [revoked] = isId('rin_', id) ? await tx.sql<InvitationView>(revoke, [id, roomId, tx.clock.now()]) : [];
    if (!revoked) throw notFound();
    return revoked;
  });
}
