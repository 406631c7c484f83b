import type { Message, Update, UserFromGetMe } from 'grammy/types';
import type { InboundMessage } from '../../integrations/platforms.ports.ts';

/** Converts a person's message. Returns null for everything else: bots, service messages, messages without text. */
export function toInbound({ message }: Partial<Update>, bot: UserFromGetMe): InboundMessage | null {
  const text = message?.text ?? message?.caption;
  if (!message?.from || message.from.is_bot || typeof text !== 'string' || !message.chat) return null;
  const chat = String(message.chat.id);
  const threadId = message.is_topic_message ? String(message.message_thread_id) : undefined;
  const isPrivate = message.chat.type === 'private';
  const mention = new RegExp(`@${bot.username}\\b`, 'gi');
  return {
    eventId: `${chat}:${message.message_id}`,
    channelId: chat,
    chatId: threadId ? `${chat}:${threadId}` : chat,
    personId: String(message.from.id),
    text: text.replace(mention, '').trim() || text,
    isDirected: isPrivate || isMentioned(message, bot) || message.reply_to_message?.from?.id === bot.id,
    target: {
      channelId: chat,
      ...(threadId ? { threadId } : {}),
      ...(isPrivate ? {} : { replyTo: String(message.message_id) }),
    },
  };
}

function isMentioned(message: Message, bot: UserFromGetMe): boolean {
  const text = message.text ?? message.caption ?? '';
  const entities = message.entities ?? message.caption_entities ?? [];
  return entities.some((entity) => {
    if (entity.type === 'text_mention') return entity.user.id === bot.id;
    const words = text.slice(entity.offset, entity.offset + entity.length).toLowerCase();
    const name = `@${bot.username.toLowerCase()}`;
    return (entity.type === 'mention' && words === name) || (entity.type === 'bot_command' && words.endsWith(name));
  });
}
