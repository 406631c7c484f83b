import { z } from 'zod';
import type { Agent } from '../../agents/agent.entity.ts';
import { getAgent } from '../../agents/agents.ts';
import type { Message } from '../../conversations/messages/message.entity.ts';
import { latestMessagesOf } from '../../conversations/messages/messages.ts';
import { findGreeting } from '../../conversations/prompt/version-greetings.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { invalidField, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { type Picture, picturesOf } from '../../images/pictures.ts';
import { greetsByVariant } from '../../studio/experiments/expose.ts';
import { asOwner } from '../as-owner.ts';
import { Embed } from '../embed.entity.ts';
import { openEmbedSecret } from '../embed-secrets.ts';
import { isAllowedOrigin } from '../origins.ts';
import { admitVisitor } from './admit-visitor.ts';
import { type Identity, IdentityRefused, verifyIdentity } from './identity.ts';
import { hashOfToken, isServed } from './visitor.ts';
import { noteIdentityFault } from './visitor-limits.ts';

const startSessionInput = z.object({
  embedId: z.string(),
  visitorToken: z.string().max(4_096).nullish(),
  identityToken: z.string().max(16_384).nullish(),
  parentOrigin: z.string().max(2_048),
  challengeToken: z.string().max(4_096).nullish(),
});

/** Initial data of a visitor's chat. */
export interface VisitorSession {
  visitorToken: string;
  expiresAt: Date;
  embed: ServedEmbed;
  agent: Agent;
  picture: Picture | null;
  greeting: string | null;
  /** The newest 50 messages, oldest first. */
  messages: Message[];
}

export type ServedEmbed = Embed & { plan: Plan; agentName: string };

const find = {
  name: 'embed_served',
  text: `
    select ${columnsOf(Embed, 'e')}, u.plan, a.name as "agentName" from embeds e join users u on u.id = e.owner_id join agents a on a.id = e.agent_id
    where e.id = $1 and ${isServed}`,
};

/**
 * Returns an embed that visitors may use.
 * @throws AppError `not_found` when it is disabled, or when it, its agent or its owner was deleted
 */
export async function getServedEmbed(ctx: Ctx, id: string): Promise<ServedEmbed> {
  const [embed] = isId('emb_', id) ? await ctx.sql<ServedEmbed>(find, [id]) : [];
  if (!embed) throw notFound();
  return embed;
}

/**
 * Starts or continues the chat of a visitor. A token that does not belong to this embed creates a new visitor; a
 * visitor with an identity is the same one on every device.
 * @throws AppError `invalid_request` (`origin_not_allowed`, `challenge_required`), `unauthenticated` for a missing or
 * wrong identity, `not_found`
 */
export async function startVisitorSession(ctx: Ctx, input: unknown, address: string | null): Promise<VisitorSession> {
  const { embedId, visitorToken, identityToken, parentOrigin, challengeToken } = parseInput(startSessionInput, input);
  const embed = await getServedEmbed(ctx, embedId);
  if (!isAllowedOrigin(embed.allowedOrigins, parentOrigin)) {
    throw invalidField('parentOrigin', 'origin_not_allowed', 'This website is not allowed to show this assistant.');
  }
  const identity = await identify(ctx, embed, identityToken ?? null).catch(async (error: unknown) => {
    if (error instanceof IdentityRefused) await noteIdentityFault(ctx, embed.id, error.fault);
    throw error;
  });
  const known = visitorToken ? hashOfToken(visitorToken) : null;
  const admitted = await admitVisitor(ctx, {
    embedId,
    identity,
    known: known && visitorToken ? { hash: known, token: visitorToken } : null,
    requireHuman: () => requireHuman(ctx, embed, challengeToken ?? null, address),
  });
  const { conversationId, token, expiresAt } = admitted;
  const owner = asOwner(ctx, embed.ownerId, embed.plan);
  const [agent, messages] = await Promise.all([
    getAgent(owner, embed.agentId),
    conversationId ? latestMessagesOf(owner, [conversationId]) : [],
  ]);
  const [greeting, [picture = null]] = await Promise.all([
    greetingBefore(ctx, agent),
    embed.appearance.avatar && agent.avatarUrl ? picturesOf(owner, [agent.avatarUrl]) : [],
  ]);
  return { visitorToken: token, expiresAt, embed, agent, picture, greeting, messages };
}

/** Returns the agent's greeting. There is none while it depends on the variant that the visitor's conversation will have. */
async function greetingBefore(ctx: Ctx, { id, liveVersionId, greetingMessage }: Agent): Promise<string | null> {
  if (await greetsByVariant(ctx, id)) return null;
  return findGreeting(ctx, { versionId: liveVersionId ?? null, greeting: greetingMessage ?? null });
}

async function identify(ctx: Ctx, embed: Embed, token: string | null): Promise<Identity | null> {
  if (embed.identity === 'anonymous') return null;
  if (token !== null) return verifyIdentity(ctx, embed, token);
  if (embed.identity === 'optional') return null;
  throw new IdentityRefused('missing', embed.test);
}

async function requireHuman(ctx: Ctx, embed: Embed, token: string | null, address: string | null): Promise<void> {
  if (embed.challenge === 'none') return;
  const { turnstile } = ctx.config.embeds;
  const secret = embed.challengeSecret
    ? openEmbedSecret(ctx.config, embed.id, embed.challengeSecret)
    : turnstile?.secretKey;
  const isPerson = secret && token ? await ctx.ports.humanCheck.verify({ secret, token, address }) : false;
  if (!isPerson) throw invalidField('challengeToken', 'challenge_required', 'Please confirm that you are a person.');
}
