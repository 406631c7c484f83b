import { LockMode } from '@mikro-orm/core';
import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import { getAgent } from '../agents/agents.ts';
import { type Plan, owns } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { isForeignKeyViolation } from '../core/database/database-errors.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import { changeEmbed, requireConsistent } from './change-embed.ts';
import { storedCap } from './daily-cap.ts';
import { Embed } from './embed.entity.ts';
import { createEmbedInput, defaultAppearance, listEmbedsInput, updateEmbedInput } from './embed.input.ts';
import { newIdentitySecret, sealEmbedSecret, secretOverlapMs } from './embed-secrets.ts';
import { embedColumns, type EmbedRow, type EmbedView, toEmbedView } from './embed-view.ts';

/** An embed and its identity secret in plain text, which is shown only once. */
export interface EmbedWithSecret {
  embed: EmbedView;
  secret: string;
}

const defaultRetentionDays = 90;

/**
 * Creates an embed of one of the caller's agents.
 * @throws AppError `invalid_request`, `not_found`, `plan_limit_exceeded`, `forbidden` for a restricted account
 */
export async function createEmbed(ctx: Ctx, input: unknown): Promise<EmbedWithSecret> {
  const fields = parseInput(createEmbedInput, input);
  const { test = false, challenge = 'none', challengeSiteKey = null, challengeSecret = null } = fields;
  const allowedOrigins = fields.allowedOrigins.map(({ origin }) => origin);
  requireConsistent(ctx, { test, allowedOrigins, challenge, challengeSiteKey, challengeSecret });
  const agent = await getAgent(ctx, fields.agentId);
  if (!owns(ctx.actor, agent.ownerId)) throw notFound();
  const id = newId('emb_');
  const secret = newIdentitySecret();
  await inTransaction(ctx, async (tx) => {
    await requireUnrestricted(tx);
    const plan = await enforceLimit(tx);
    const now = tx.clock.now();
    const embed = tx.em.create(Embed, {
      id,
      ownerId: callerId(tx),
      agentId: agent.id,
      name: fields.name,
      allowedOrigins: [],
      identity: 'anonymous',
      identitySecret: sealEmbedSecret(tx.config, id, secret),
      previousSecret: null,
      previousSecretExpiresAt: null,
      ...storedCap(tx, plan),
      perVisitorDay: 30,
      perAddressHour: 30,
      challenge: 'none',
      challengeSiteKey: null,
      challengeSecret: null,
      appearance: defaultAppearance,
      retentionDays: defaultRetentionDays,
      notice: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
    changeEmbed(tx, embed, fields);
    await tx.em.persist(embed).flush();
  }).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? notFound() : error;
  });
  return { embed: await getEmbed(ctx, id), secret };
}

const countEmbeds = {
  name: 'embeds_count_owned',
  text: `select count(*) as total from embeds where owner_id = $1 and deleted_at is null`,
};

/**
 * Checks the limit of embeds and returns the plan. Locks the owner's row, so that parallel requests cannot exceed the
 * limit.
 * @throws AppError `plan_limit_exceeded`
 */
async function enforceLimit(tx: Ctx): Promise<Plan> {
  const plan = await lockPlan(tx, callerId(tx));
  const limit = tx.catalog.planLimits.embeds[plan];
  const [row] = await tx.sql<{ total: number }>(countEmbeds, [callerId(tx)]);
  if ((row?.total ?? 0) < limit) return plan;
  throw new AppError('plan_limit_exceeded', {
    message: `Your plan allows ${limit} ${limit === 1 ? 'embed' : 'embeds'}. Delete one or choose a larger plan.`,
  });
}

const from = 'embeds e where e.owner_id = $1 and e.deleted_at is null';
const listNewest = orderedList<EmbedRow>({
  name: 'embeds_list',
  columns: embedColumns,
  from,
  valueCount: 1,
  key: { column: 'e.created_at', kind: 'time', of: (embed) => embed.createdAt },
  id: { column: 'e.id', of: ({ id }) => id },
});
const countAll = { name: 'embeds_count', text: `select count(*) as total from ${from}` };

/** Lists the caller's embeds, newest first. @throws AppError `invalid_request` */
export async function listEmbeds(ctx: Ctx, input: unknown): Promise<Page<EmbedView>> {
  const page = parseInput(listEmbedsInput, input);
  const values = [callerId(ctx)];
  const rows = await withTotal(ctx, readSlice(ctx, listNewest, values, page), page, countAll, values);
  return { ...rows, data: rows.data.map(toEmbedView(ctx)) };
}

const selectEmbed = {
  name: 'embed_get',
  text: `select ${embedColumns} from embeds e where e.id = $1 and e.deleted_at is null`,
};

/** Returns one of the caller's embeds. @throws AppError `not_found` */
export async function getEmbed(ctx: Ctx, id: string): Promise<EmbedView> {
  const [embed] = isId('emb_', id) ? await ctx.sql<EmbedRow>(selectEmbed, [id]) : [];
  if (!embed || !owns(ctx.actor, embed.ownerId)) throw notFound();
  return toEmbedView(ctx)(embed);
}

/**
 * Updates the given fields, which apply to the next request of a visitor. A restricted account can only pause an embed.
 * @throws AppError `invalid_request`, `not_found`, `forbidden` for a restricted account
 */
export async function updateEmbed(ctx: Ctx, id: string, input: unknown): Promise<EmbedView> {
  const fields = parseInput(updateEmbedInput, input);
  await inTransaction(ctx, async (tx) => {
    const embed = await lockOwnEmbed(tx, id);
    const pauses = fields.active === false && Object.keys(fields).length === 1;
    if (!pauses) await requireUnrestricted(tx);
    changeEmbed(tx, embed, fields);
    embed.updatedAt = tx.clock.now();
    await tx.em.flush();
  });
  return getEmbed(ctx, id);
}

/**
 * Replaces the identity secret. Tokens signed with the old one are accepted for 24 hours.
 * @throws AppError `not_found`
 */
export async function rotateEmbedSecret(ctx: Ctx, id: string): Promise<EmbedWithSecret> {
  const secret = newIdentitySecret();
  await inTransaction(ctx, async (tx) => {
    const embed = await lockOwnEmbed(tx, id);
    const now = tx.clock.now();
    embed.previousSecret = embed.identitySecret;
    embed.previousSecretExpiresAt = new Date(now.getTime() + secretOverlapMs);
    embed.identitySecret = sealEmbedSecret(tx.config, id, secret);
    embed.updatedAt = now;
    await tx.em.flush();
  });
  return { embed: await getEmbed(ctx, id), secret };
}

/** Locks one of the caller's embeds for the transaction. @throws AppError `not_found` */
async function lockOwnEmbed(tx: Ctx, id: string): Promise<Embed> {
  const embed = isId('emb_', id)
    ? await tx.em.findOne(Embed, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!embed || !owns(tx.actor, embed.ownerId)) throw notFound();
  return embed;
}
