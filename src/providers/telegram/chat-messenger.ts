import { setTimeout as delay } from 'node:timers/promises';
import { Api } from 'grammy';
import type { Bot, ChatPlatform, ConnectOptions } from '../../integrations/platforms.ports.ts';
import { toPlatformError } from './errors.ts';
import { toInbound } from './messages.ts';

const pollSeconds = 25;
const requestSeconds = 15;
/** Minimum time between the starts of two polls without updates, for Bot API servers that return immediately. */
const minPollMs = 1_000;

interface ChatMessengerOptions {
  /** Host of the Bot API; null for Telegram's own. */
  apiBase: string | null;
}

/** Creates the `chat_messenger` platform on grammY's client of the Bot API. */
export function createChatMessenger({ apiBase }: ChatMessengerOptions): ChatPlatform {
  const clientOf = ({ token }: Bot, timeoutSeconds = requestSeconds): Api =>
    new Api(token, { timeoutSeconds, ...(apiBase ? { apiRoot: apiBase.replace(/\/+$/, '') } : {}) });

  return {
    detectsDuplicates: false,
    connect: (options) => poll(clientOf(options.bot, pollSeconds + requestSeconds), options),
    async send(bot, { target, text, maybeSent }) {
      // Telegram does not deduplicate. A lost part is better than a repeated one.
      if (maybeSent) return null;
      const sent = clientOf(bot).sendMessage(target.channelId, text, {
        parse_mode: 'HTML',
        ...(target.threadId ? { message_thread_id: Number(target.threadId) } : {}),
        ...(target.replyTo
          ? { reply_parameters: { message_id: Number(target.replyTo), allow_sending_without_reply: true } }
          : {}),
      });
      return String((await sent.catch(raise)).message_id);
    },
    async showTyping(bot, { channelId, threadId }) {
      const other = threadId ? { message_thread_id: Number(threadId) } : {};
      await clientOf(bot).sendChatAction(channelId, 'typing', other).catch(raise);
    },
    async listPlaces(token) {
      const { username, first_name: name } = await clientOf({ token, place: '' }).getMe().catch(raise);
      return { botName: username ?? name, places: [], isComplete: true };
    },
    // A bot cannot start a conversation, so until a person has written to it, the bot itself is the only possible
    // target.
    defaultTarget: async (bot) => ({ channelId: String((await clientOf(bot).getMe().catch(raise)).id) }),
  };
}

/**
 * Polls for updates. Telegram deletes updates once a later offset is requested, which happens only after they are
 * claimed. Updates that a dead worker had not claimed are therefore delivered to the next worker, without a session.
 */
async function poll(api: Api, { signal, onUp, onMessage }: ConnectOptions): Promise<void> {
  try {
    const bot = await api.getMe(signal as never);
    await api.deleteWebhook({}, signal as never);
    await onUp(String(bot.id));
    for (let offset = 0; !signal.aborted;) {
      const options = { offset, limit: 100, timeout: pollSeconds, allowed_updates: ['message'] as const };
      const startedMs = performance.now();
      const updates = await api.getUpdates(options, signal as never);
      for (const update of updates) {
        const message = toInbound(update, bot);
        if (message) await onMessage(message, null);
        offset = update.update_id + 1;
      }
      const pauseMs = minPollMs - (performance.now() - startedMs);
      if (updates.length === 0 && pauseMs > 0) await delay(pauseMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) raise(error);
  }
}

const raise = (error: unknown): never => {
  throw toPlatformError(error);
};
