import { outgoingFetch } from '../../core/http/outgoing.ts';
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
import { listPlaces } from './places.ts';

const requestTimeoutMs = 10_000;
const checkEveryMs = 600_000;
const searchedMessages = 100;
const eventType = 'agent_reply';

interface ChatWorkspaceOptions {
  /** Base URL of the API, ending in `/api/`; null for Slack itself. */
  apiBase: string | null;
}

/**
 * Creates the `chat_workspace` platform on Slack's Web API. Messages from people arrive through the Events API
 * (`readCall`).
 */
export function createChatWorkspace({ apiBase }: ChatWorkspaceOptions): ChatPlatform {
  const clientOf = ({ token }: Bot): WebClient =>
    new WebClient(token, {
      ...(apiBase ? { slackApiUrl: apiBase.replace(/\/*$/, '/') } : {}),
      timeout: requestTimeoutMs,
      fetch: outgoingFetch,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: silent,
    });

  return {
    detectsDuplicates: false,
    connect: (options) => watchToken(clientOf(options.bot), options),
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
    listPlaces: (token) => listPlaces(clientOf({ token, place: '' })).catch(raise),
    async showTyping(bot, { channelId, threadId }) {
      // Slack shows the status only in threads.
      if (!threadId) return;
      const status = { channel_id: channelId, thread_ts: threadId, status: 'is writing…' };
      await clientOf(bot).assistant.threads.setStatus(status).catch(raise);
    },
  };
}

/** Checks the token every ten minutes, because there is no connection whose end would report a revoked token. */
async function watchToken(client: WebClient, { bot, signal, onUp }: ConnectOptions): Promise<void> {
  while (!signal.aborted) {
    const { team_id: team, user_id: userId } = await client.auth.test().catch(raise);
    if (signal.aborted) return;
    // Requires a token of the connected workspace. Otherwise an owner could read the messages of another workspace.
    if (team && team !== bot.place) throw new PlatformError('refused', 'The bot token belongs to another workspace.');
    await onUp(userId ?? '');
    await delay(checkEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Finds a message sent earlier under the key. Slack does not deduplicate, so each message has its key as metadata. */
async function findSent(client: WebClient, { channelId, threadId }: ChatTarget, key: string): Promise<string | null> {
  const options = { channel: channelId, limit: searchedMessages, include_all_metadata: true };
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
/** Disables the SDK's log, which would contain channels and texts. */
const silent: Logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  setLevel: quiet,
  getLevel: () => LogLevel.ERROR,
  setName: quiet,
};
