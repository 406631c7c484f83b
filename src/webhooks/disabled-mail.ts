import { sendMail } from '../accounts/mail/mails.ts';
import type { Ctx } from '../core/ctx.ts';
import { maxConsecutiveFailures } from './deliveries/delivery.ts';
import { type DisabledReason, Webhook } from './webhook.entity.ts';

const reasons: Record<DisabledReason, string> = {
  failures: `${maxConsecutiveFailures} consecutive attempts failed.`,
  gone: 'its endpoint responded with 410 Gone.',
  owner: 'you disabled it.',
};

/**
 * Emails the owner why a webhook was disabled and how to enable it again. Call it in the transaction that disables the
 * webhook.
 */
export async function announceDisabled(ctx: Ctx, webhookId: string): Promise<void> {
  const webhook = await ctx.em.findOne(Webhook, { id: webhookId, deletedAt: null });
  if (!webhook?.disabledReason) return;
  const { userId, url, disabledReason: reason } = webhook;
  ctx.log.warn({ webhookId, reason }, 'webhook disabled');
  await sendMail(ctx, { userId, template: 'webhookDisabled', data: { webhookId, url, reason: reasons[reason] } });
}
