import { setTimeout as delay } from 'node:timers/promises';
import { type ChatPostMessageArguments, type Logger, LogLevel, WebClient } from '@slack/web-api';
import {
  type Bot,
  type ChatPlatform,
  type ChatTarget,
  type ConnectOptions,
  PlatformError,
} from '../../integrations/platforms.ports.ts';
import { toPlatformError } from './errors.ts';

const requestTimeoutMs = 10_000;
const checkEveryMs = 600_000;
const historyLooked = 100;
const eventType = 'agent_reply';

interface ChatWorkspaceOptions {
  /** Ends in `/api/`; null: Slack. */
  apiBase: string | null;
}

/** chat_workspace through Slack's Web API; what people write arrives by its Events API (`readCall`). */
export function createChatWorkspace({ apiBase }: ChatWorkspaceOptions): ChatPlatform {
  const clientOf = ({ token }: Bot): WebClient =>
    new WebClient(token, {
      ...(apiBase ? { slackApiUrl: apiBase.replace(/\/*$/, '/') } : {}),
      timeout: requestTimeoutMs,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: silent,
    });

  return {
    tellsRepetitions: false,
    connect: (options) => stayWelcome(clientOf(options.bot), options),
    async send(bot, { target, text, key, maybeSent }) {
      const client = clientOf(bot);
      if (maybeSent) {
        const sent = await findSent(client, target, key).catch(raise);
        if (sent) return sent;
      }
      const message: ChatPostMessageArguments = {
        channel: target.channelId,
        text,
        unfurl_links: false,
        metadata: { event_type: eventType, event_payload: { key } },
        ...(target.threadId ? { thread_ts: target.threadId } : {}),
      };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's, not a window's
      const answer = client.chat.postMessage(message);
      return (await answer.catch(raise)).ts ?? null;
    },
    async showTyping(bot, { channelId, threadId }) {
      // Slack shows it in threads only.
      if (!threadId) return;
      const status = { channel_id: channelId, thread_ts: threadId, status: 'is writing…' };
      await clientOf(bot).assistant.threads.setStatus(status).catch(raise);
    },
  };
}

/** There is no connection to hold: the token is checked, now and then again. */
async function stayWelcome(client: WebClient, { bot, signal, onUp }: ConnectOptions): Promise<void> {
  while (!signal.aborted) {
    const { team_id: team, user_id: userId } = await client.auth.test().catch(raise);
    if (signal.aborted) return;
    // Whoever names a workspace has to hold a token of it, or he would read what is said there.
    if (team && team !== bot.place) throw new PlatformError('refused', 'The bot token belongs to another workspace.');
    await onUp(userId ?? '');
    await delay(checkEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Slack does not recognise a repetition, but shows what the bot has said: each message carries its key as metadata. */
async function findSent(client: WebClient, { channelId, threadId }: ChatTarget, key: string): Promise<string | null> {
  const options = { channel: channelId, limit: historyLooked, include_all_metadata: true };
  const { messages = [] } = threadId
    ? await client.conversations.replies({ ...options, ts: threadId })
    : await client.conversations.history(options);
  for (const { metadata, ts } of messages as { metadata?: { event_payload?: { key?: unknown } }; ts?: string }[]) {
    if (metadata?.event_payload?.key === key) return ts ?? null;
  }
  return null;
}

const raise = (error: unknown): never => {
  throw toPlatformError(error);
};

const quiet = () => undefined;
/** The SDK's own log would name channels and texts. */
const silent: Logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  setLevel: quiet,
  getLevel: () => LogLevel.ERROR,
  setName: quiet,
};
