import { LockMode } from '@mikro-orm/core';
import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/transaction.ts';
import { Webhook } from './webhook.entity.ts';
import { createWebhookInput, updateWebhookInput } from './webhook.input.ts';
import { ownsWebhook } from './webhook.policy.ts';
import { generateSecret, rotationOverlapMs, sealSecret } from './webhook-secrets.ts';

/** A webhook and its secret in the clear, which is shown this once. */
export interface WebhookWithSecret {
  webhook: Webhook;
  secret: string;
}

const maxWebhooksPerAccount = 100;

/** A new webhook of the caller, active at once. @throws AppError `invalid_request`, `conflict` when there are 100 already */
export async function createWebhook(ctx: Ctx, input: unknown): Promise<WebhookWithSecret> {
  const { url, events, secret: given } = parseInput(createWebhookInput, input);
  const secret = given ? { secret: given, isGenerated: false } : generateSecret();
  const webhook = await inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    await lockPlan(tx, userId);
    if ((await tx.em.count(Webhook, { userId })) >= maxWebhooksPerAccount) {
      throw new AppError('conflict', {
        message: `An account can have at most ${maxWebhooksPerAccount} webhooks. Delete one first.`,
      });
    }
    const id = newId('webhook');
    const now = tx.clock.now();
    const created = tx.em.create(Webhook, {
      id,
      userId,
      url,
      events,
      secret: sealSecret(tx.config, id, secret),
      secretIsGenerated: secret.isGenerated,
      active: true,
      createdAt: now,
      updatedAt: now,
    });
    await tx.em.persist(created).flush();
    return created;
  });
  return { webhook, secret: secret.secret };
}

/** One of the caller's webhooks. @throws AppError `not_found` */
export async function getWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  const webhook = isId('webhook', id) ? await ctx.em.findOne(Webhook, { id }) : null;
  if (!webhook || !ownsWebhook(ctx.actor, webhook)) throw notFound();
  return webhook;
}

/** All of the caller's webhooks, newest first. */
export async function listWebhooks(ctx: Ctx): Promise<{ data: Webhook[]; total: number }> {
  const data = await ctx.em.find(Webhook, { userId: callerId(ctx) }, { orderBy: { createdAt: 'desc', id: 'desc' } });
  return { data, total: data.length };
}

/**
 * Changes the fields present. `active: true` and a new `url` enable a disabled webhook again and set its count of
 * failures back. @throws AppError `invalid_request`, `not_found`
 */
export async function updateWebhook(ctx: Ctx, id: string, input: unknown): Promise<Webhook> {
  const { url, events, active } = parseInput(updateWebhookInput, input);
  return inTransaction(ctx, async (tx) => {
    const webhook = await lockOwnWebhook(tx, id);
    const now = tx.clock.now();
    const moved = url !== undefined && url !== webhook.url;
    if (url !== undefined) webhook.url = url;
    if (events !== undefined) webhook.events = events;
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

/** Deletes a webhook and what is known of its deliveries. @throws AppError `not_found` */
export async function deleteWebhook(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    await lockOwnWebhook(tx, id);
    await tx.em.nativeDelete(Webhook, { id });
  });
  return { id, deleted: true };
}

/**
 * A new secret. `X-Agent-Signature` is made with it from now on; for 24 hours `webhook-signature` carries the old one's
 * signature as well. Of secrets that are replaced within them the last two go on. @throws AppError `not_found`
 */
export async function rotateWebhookSecret(ctx: Ctx, id: string): Promise<WebhookWithSecret> {
  const secret = generateSecret();
  const webhook = await inTransaction(ctx, async (tx) => {
    const rotated = await lockOwnWebhook(tx, id);
    const now = tx.clock.now();
    if (rotated.previousSecretExpiresAt && rotated.previousSecretExpiresAt > now) {
      rotated.olderSecret = rotated.previousSecret;
      rotated.olderSecretIsGenerated = rotated.previousSecretIsGenerated;
      rotated.olderSecretExpiresAt = rotated.previousSecretExpiresAt;
    }
    rotated.previousSecret = rotated.secret;
    rotated.previousSecretIsGenerated = rotated.secretIsGenerated;
    rotated.previousSecretExpiresAt = new Date(now.getTime() + rotationOverlapMs);
    rotated.secret = sealSecret(tx.config, id, secret);
    rotated.secretIsGenerated = true;
    rotated.revision++;
    rotated.updatedAt = now;
    await tx.em.flush();
    return rotated;
  });
  return { webhook, secret: secret.secret };
}

async function lockOwnWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  const webhook = isId('webhook', id)
    ? await ctx.em.findOne(Webhook, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!webhook || !ownsWebhook(ctx.actor, webhook)) throw notFound();
  return webhook;
}
