import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { openBot } from './bot-token.ts';
import type { IntegrationStatus } from './integration.entity.ts';
import type { IntegrationView } from './integration.events.ts';
import { getIntegration } from './integrations.ts';
import { type Bot, type ChatTarget, PlatformError, type PlatformKind } from './platforms.ports.ts';

export interface IntegrationTestResult {
  id: string;
  platform: PlatformKind;
  status: IntegrationStatus;
  testResult: { success: boolean; latencyMs: number; messageId: string | null; deliveredAt: Date | null };
}

const lastChat = {
  name: 'integration_last_chat',
  text: `select target from platform_messages where integration_id = $1 order by seq desc limit 1`,
};

/**
 * Sends a test message to the first channel, or to the most recent chat, and measures the latency. A failure of the
 * platform is a result, not an error.
 * @throws AppError `not_found`, `integration_inactive`
 */
export async function testIntegration(ctx: Ctx, id: string): Promise<IntegrationTestResult> {
  const integration = await getIntegration(ctx, id);
  if (integration.status === 'inactive') throw new AppError('integration_inactive');
  const bot = openBot(ctx.config, integration);
  const startedMs = performance.now();
  const messageId = await send(ctx, integration, bot);
  const latencyMs = Math.max(1, Math.round(performance.now() - startedMs));
  const deliveredAt = messageId === null ? null : ctx.clock.now();
  const { platform, status } = integration;
  return { id, platform, status, testResult: { success: messageId !== null, latencyMs, messageId, deliveredAt } };
}

async function send(ctx: Ctx, integration: IntegrationView, bot: Bot): Promise<string | null> {
  const platform = ctx.ports.platforms[integration.platform];
  try {
    const target = await targetOf(ctx, integration, bot);
    if (!target) return null;
    const text = 'This is a test message: the agent is connected.';
    return await platform.send(bot, { target, text, key: `test-${ctx.requestId}`, maybeSent: false });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    ctx.log.info({ integrationId: integration.id, kind: error.kind }, 'a test message was not delivered');
    return null;
  }
}

async function targetOf(ctx: Ctx, { id, platform, channelIds }: IntegrationView, bot: Bot): Promise<ChatTarget | null> {
  const [channelId] = channelIds;
  if (channelId) return { channelId };
  const [last] = await ctx.sql<{ target: ChatTarget }>(lastChat, [id]);
  if (!last) return (await ctx.ports.platforms[platform].defaultTarget?.(bot)) ?? null;
  const { replyTo: _asked, ...target } = last.target;
  return target;
}
