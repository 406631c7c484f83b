import { owns } from '../core/actor.ts';
import { LockMode } from '@mikro-orm/core';
import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import { Webhook } from './webhook.entity.ts';
import { createWebhookInput, updateWebhookInput } from './webhook.input.ts';
import { generateSecret, rotationOverlapMs, sealSecret } from './webhook-secrets.ts';

/** A webhook with its plaintext secret, which cannot be retrieved later. */
export interface WebhookWithSecret {
  webhook: Webhook;
  secret: string;
}

const maxWebhooksPerAccount = 100;

/**
 * Creates an active webhook of the caller. Generates a secret if none is given.
 * @throws AppError `invalid_request`, `conflict` when the account has 100 webhooks
 */
export async function createWebhook(ctx: Ctx, input: unknown): Promise<WebhookWithSecret> {
  const {
    url,
    events,
    secret: given,
    description = null,
  } = parseInput(createWebhookInput(ctx.catalog.eventTypes), input);
  const secret = given ?? generateSecret();
  const webhook = await inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    await lockPlan(tx, userId);
    if ((await tx.em.count(Webhook, { userId, deletedAt: null })) >= maxWebhooksPerAccount) {
      throw new AppError('conflict', {
        message: `An account can have at most ${maxWebhooksPerAccount} webhooks. Delete one first.`,
      });
    }
    const id = newId('wh_');
    const now = tx.clock.now();
    const created = tx.em.create(Webhook, {
      id,
      userId,
      url,
      description,
      events,
      secret: sealSecret(tx.config, id, secret),
      active: true,
      createdAt: now,
      updatedAt: now,
    });
    await tx.em.persist(created).flush();
    return created;
  });
  return { webhook, secret };
}

/**
 * Returns one of the caller's webhooks.
 * @throws AppError `not_found`
 */
export async function getWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  const webhook = isId('wh_', id) ? await ctx.em.findOne(Webhook, { id, deletedAt: null }) : null;
  if (!webhook || !owns(ctx.actor, webhook.userId)) throw notFound();
  return webhook;
}

/** Lists all of the caller's webhooks, newest first. */
export async function listWebhooks(ctx: Ctx): Promise<{ data: Webhook[]; total: number }> {
  const where = { userId: callerId(ctx), deletedAt: null };
  const data = await ctx.em.find(Webhook, where, { orderBy: { createdAt: 'desc', id: 'desc' } });
  return { data, total: data.length };
}

/**
 * Updates the given fields of a webhook. `active: true` or a different `url` enables a disabled webhook and resets its
 * failure count.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function updateWebhook(ctx: Ctx, id: string, input: unknown): Promise<Webhook> {
  const { url, events, active, description } = parseInput(updateWebhookInput(ctx.catalog.eventTypes), input);
  return inTransaction(ctx, async (tx) => {
    const webhook = await lockOwnWebhook(tx, id);
    const now = tx.clock.now();
    const moved = url !== undefined && url !== webhook.url;
    if (url !== undefined) webhook.url = url;
    if (events !== undefined) webhook.events = events;
    if (description !== undefined) webhook.description = description;
    if (moved) webhook.revision++;
    const enabled = active ?? (moved ? true : webhook.active);
    if (!enabled && webhook.active) Object.assign(webhook, { disabledReason: 'owner', disabledAt: now });
    if (enabled && (!webhook.active || moved || active))
      Object.assign(webhook, { disabledReason: null, disabledAt: null, consecutiveFailures: 0 });
    webhook.active = enabled;
    webhook.updatedAt = now;
    await tx.em.flush();
    return webhook;
  });
}

/**
 * Deletes a webhook. It is hidden and receives nothing from then on. A task removes its deliveries in batches, because
 * there can be millions.
 * @throws AppError `not_found`
 */
export async function deleteWebhook(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const webhook = await lockOwnWebhook(tx, id);
    Object.assign(webhook, { active: false, deletedAt: tx.clock.now() });
    await tx.em.flush();
    await enqueueTask(tx, 'webhook.remove', { webhookId: id }, { key: id });
  });
  return { id, deleted: true };
}

const readTime = { name: 'webhook_rotation_time', text: `select now() as now` };

/**
 * Replaces the secret. `X-Agent-Signature` uses the new secret immediately. For 24 hours, `webhook-signature` also
 * contains a signature with the old secret. If the secret is rotated again in that time, the last two old secrets keep
 * signing until they expire.
 * @throws AppError `not_found`
 */
export async function rotateWebhookSecret(ctx: Ctx, id: string): Promise<WebhookWithSecret> {
  const secret = generateSecret();
  const webhook = await inTransaction(ctx, async (tx) => {
    const rotated = await lockOwnWebhook(tx, id);
    // Deliveries of all instances compare the expiry with the time of the database.
    const [{ now } = { now: tx.clock.realNow() }] = await tx.sql<{ now: Date }>(readTime);
    if (rotated.previousSecretExpiresAt && rotated.previousSecretExpiresAt > now) {
      rotated.olderSecret = rotated.previousSecret;
      rotated.olderSecretExpiresAt = rotated.previousSecretExpiresAt;
    }
    rotated.previousSecret = rotated.secret;
    rotated.previousSecretExpiresAt = new Date(now.getTime() + rotationOverlapMs);
    rotated.secret = sealSecret(tx.config, id, secret);
    rotated.revision++;
    rotated.updatedAt = tx.clock.now();
    await tx.em.flush();
    return rotated;
  });
  return { webhook, secret };
}

async function lockOwnWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  const webhook = isId('wh_', id)
    ? await ctx.em.findOne(Webhook, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!webhook || !owns(ctx.actor, webhook.userId)) throw notFound();
  return webhook;
}
