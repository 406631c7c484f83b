import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { openBot } from './bot-token.ts';
import type { IntegrationStatus } from './integration.entity.ts';
import type { IntegrationView } from './integration.events.ts';
import { getIntegration } from './integrations.ts';
import { noteAccepted } from './replies/refusals.ts';
import {
  type Bot,
  type ChatTarget,
  PlatformError,
  type PlatformErrorKind,
  type PlatformKind,
} from './platforms.ports.ts';

export interface IntegrationTestResult {
  id: string;
  platform: PlatformKind;
  status: IntegrationStatus;
  testResult: {
    success: boolean;
    latencyMs: number;
    messageId: string | null;
    deliveredAt: Date | null;
    error: TestError | null;
  };
}

interface TestError {
  code: string;
  /** For the owner: what is wrong and what to do. */
  message: string;
}

interface Outcome {
  messageId: string | null;
  /** Where the message was sent; null when there is no chat. */
  target: ChatTarget | null;
  error: TestError | null;
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
  const { messageId, target, error } = await send(ctx, integration, bot);
  const latencyMs = Math.max(1, Math.round(performance.now() - startedMs));
  const isRecovered = target !== null && messageId !== null && (await noteAccepted(ctx, id, target.channelId));
  const deliveredAt = messageId === null ? null : ctx.clock.now();
  const { platform } = integration;
  const status = isRecovered ? 'active' : integration.status;
  return {
    id,
    platform,
    status,
    testResult: { success: messageId !== null, latencyMs, messageId, deliveredAt, error },
  };
}

const noChat: TestError = {
  code: 'no_chat',
  message: 'The bot cannot start a chat. Send it a message on the platform, then test again.',
};

async function send(ctx: Ctx, integration: IntegrationView, bot: Bot): Promise<Outcome> {
  const platform = ctx.ports.platforms[integration.platform];
  const known = await knownTarget(ctx, integration);
  try {
    const target = known ?? (await platform.defaultTarget?.(bot));
    if (!target) return { messageId: null, target: null, error: noChat };
    const text = 'This is a test message: the agent is connected.';
    const messageId = await platform.send(bot, { target, text, key: `test-${ctx.requestId}`, maybeSent: false });
    return { messageId, target, error: null };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    ctx.log.info({ integrationId: integration.id, kind: error.kind }, 'could not deliver a test message');
    return { messageId: null, target: known, error: !known && error.kind === 'refused' ? noChat : explain(error) };
  }
}

const advice: Record<PlatformErrorKind, { code: string; whatToDo: string }> = {
  auth: { code: 'unauthorized', whatToDo: 'Delete the integration and connect the bot with its current token.' },
  refused: { code: 'refused', whatToDo: 'Check that the bot is in the channel or chat and may write there.' },
  rate_limited: { code: 'rate_limited', whatToDo: 'Test again in a minute.' },
  unknown: { code: 'unavailable', whatToDo: 'Test again in a minute.' },
  unavailable: { code: 'unavailable', whatToDo: 'Test again in a minute.' },
};

function explain({ kind, message }: PlatformError): TestError {
  const { code, whatToDo } = advice[kind];
  return { code, message: `${message} ${whatToDo}` };
}

async function knownTarget(ctx: Ctx, { id, channelIds }: IntegrationView): Promise<ChatTarget | null> {
  const [channelId] = channelIds;
  if (channelId) return { channelId };
  const [last] = await ctx.sql<{ target: ChatTarget }>(lastChat, [id]);
  if (!last) return null;
  const { replyTo: _asked, ...target } = last.target;
  return target;
}
