import { Api } from 'grammy';
import type { Bot, ChatPlatform, ConnectOptions } from '../../integrations/platforms.ports.ts';
import { toPlatformError } from './errors.ts';
import { toInbound } from './messages.ts';

const pollSeconds = 25;
const requestSeconds = 15;

interface ChatMessengerOptions {
  /** Host of the Bot API; null: Telegram. */
  apiBase: string | null;
}

/** chat_messenger through grammY's client of the Bot API. */
export function createChatMessenger({ apiBase }: ChatMessengerOptions): ChatPlatform {
  const clientOf = ({ token }: Bot, timeoutSeconds = requestSeconds): Api =>
    new Api(token, { timeoutSeconds, ...(apiBase ? { apiRoot: apiBase.replace(/\/+$/, '') } : {}) });

  return {
    tellsRepetitions: false,
    connect: (options) => poll(clientOf(options.bot, pollSeconds + requestSeconds), options),
    async send(bot, { target, text, maybeSent }) {
      // Telegram can't tell a repetition, and nobody is answered twice.
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
    // A bot may not begin a conversation: until somebody has written to it there is nobody but itself.
    defaultTarget: async (bot) => ({ channelId: String((await clientOf(bot).getMe().catch(raise)).id) }),
  };
}

/**
 * Long polling. Telegram forgets updates once a later offset is asked for, so that happens only after they are claimed:
 * what a dead worker had not claimed comes to the next one, which needs no session for it.
 */
async function poll(api: Api, { signal, onUp, onMessage }: ConnectOptions): Promise<void> {
  try {
    const bot = await api.getMe(signal as never);
    await api.deleteWebhook({}, signal as never);
    await onUp(String(bot.id));
    for (let offset = 0; !signal.aborted;) {
      const options = { offset, limit: 100, timeout: pollSeconds, allowed_updates: ['message'] as const };
      for (const update of await api.getUpdates(options, signal as never)) {
        const message = toInbound(update, bot);
        if (message) await onMessage(message, null);
        offset = update.update_id + 1;
      }
    }
  } catch (error) {
    if (!signal.aborted) raise(error);
  }
}

const raise = (error: unknown): never => {
  throw toPlatformError(error);
};
