import { sendMail } from '../accounts/mails.ts';
import type { Ctx } from '../core/ctx.ts';
import { maxConsecutiveFailures } from './delivery.ts';
import type { DisabledReason } from './webhook.entity.ts';

const select = {
  name: 'webhook_disabled',
  text: `select user_id as "userId", url, disabled_reason as reason from webhooks where id = $1`,
};

const reasons: Record<DisabledReason, string> = {
  failures: `${maxConsecutiveFailures} attempts in a row failed.`,
  gone: 'its endpoint answered 410 Gone.',
  owner: 'you disabled it.',
};

/** In the transaction that disables a webhook: its owner is told why, and how to enable it again. */
export async function announceDisabled(ctx: Ctx, webhookId: string): Promise<void> {
  const [row] = await ctx.sql<{ userId: string; url: string; reason: DisabledReason }>(select, [webhookId]);
  if (!row) return;
  ctx.log.warn({ webhookId, reason: row.reason }, 'a webhook was disabled');
  const data = { webhookId, url: row.url, reason: reasons[row.reason] };
  await sendMail(ctx, { userId: row.userId, template: 'webhookDisabled', data });
}
