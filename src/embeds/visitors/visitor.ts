import type { Plan } from '../../core/actor.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { isUnrestricted } from '../../moderation/restrictions.ts';
import { asOwner } from '../as-owner.ts';
import { dailyCapOf } from '../daily-cap.ts';

/** A visitor with a valid token, and the current settings of the embed. */
export interface Visitor {
  id: string;
  tokenHash: Buffer;
  embedId: string;
  conversationId: string | null;
  ownerId: string;
  plan: Plan;
  agentId: string;
  /** The embed's daily cap, which may depend on the owner's plan. */
  perDay: number;
  perVisitorDay: number;
  perAddressHour: number;
}

/** Token prefix that no other credential has. */
export const visitorTokenPrefix = 'vt1_';
/** How long a token is valid after the last visit or message. */
export const tokenLifeMs = 30 * 24 * 60 * 60 * 1_000;
const tokenForm = /^vt1_[A-Za-z0-9_-]{43}$/;

/** Returns the stored hash of a token; null when it is not a well-formed visitor token. */
export const hashOfToken = (token: string): Buffer | null => (tokenForm.test(token) ? sha256(token) : null);

/** Condition: visitors may use the embed `e` of the user `u`, whom moderators have not restricted, with the agent `a`. */
export const isServed = `e.active and e.deleted_at is null and a.deleted_at is null and a.moderation_state <> 'removed' and u.deletion_requested_at is null and ${isUnrestricted('u.id')}`;

interface Found extends Visitor {
  defaultPerDay: number | null;
  isServed: boolean;
}

const find = {
  name: 'embed_visitor_by_token',
  text: `
    select v.id, s.token_hash as "tokenHash", v.embed_id as "embedId", v.conversation_id as "conversationId",
      e.owner_id as "ownerId", u.plan, e.agent_id as "agentId", e.per_day as "perDay",
      e.default_per_day as "defaultPerDay", e.per_visitor_day as "perVisitorDay",
      e.per_address_hour as "perAddressHour", (${isServed}) as "isServed"
    from embed_sessions s join embed_visitors v on v.id = s.visitor_id join embeds e on e.id = v.embed_id
    join users u on u.id = e.owner_id join agents a on a.id = e.agent_id
    where s.token_hash = $1 and s.expires_at > $2 and v.forgotten_at is null
      and (e.identity <> 'required' or v.external_id is not null)`,
};

/**
 * Returns the visitor of a token. Where the embed requires an identity, the token of an anonymous visitor is not valid.
 * @throws AppError `unauthenticated` for anything but a valid token, `not_found` while the embed is disabled or deleted
 */
export async function getVisitor(ctx: Ctx, token: string): Promise<Visitor> {
  const hash = hashOfToken(token);
  const [found] = hash ? await ctx.sql<Found>(find, [hash, ctx.clock.now()]) : [];
  if (!found) throw new AppError('unauthenticated', { message: 'The visitor token is not valid or has expired.' });
  if (!found.isServed) throw notFound();
  return { ...found, perDay: dailyCapOf(ctx, found.plan, found) };
}

/** Returns the Ctx of the embed's owner, in which a visitor's conversation is read and written. */
export const asOwnerOf = (ctx: Ctx, { ownerId, plan }: Visitor): Ctx => asOwner(ctx, ownerId, plan);
