import type { Message, Update, UserFromGetMe } from 'grammy/types';
import type { InboundMessage } from '../../integrations/platforms.ports.ts';

/** Content of a message that the bot cannot read. */
const attachments = ['voice', 'audio', 'video', 'video_note', 'photo', 'document', 'sticker', 'animation'] as const;
const commandForm = /^\/(start|help)(?:@(\w+))?(?:\s|$)/;

/** Converts a person's message. Returns null for everything else: bots, service messages such as joins. */
export function toInbound({ message }: Partial<Update>, bot: UserFromGetMe): InboundMessage | null {
  if (!message?.from || message.from.is_bot || !message.chat) return null;
  const hasAttachment = attachments.some((kind) => message[kind] !== undefined);
  const text = message.text ?? message.caption ?? (hasAttachment ? '' : undefined);
  if (typeof text !== 'string') return null;
  const [, command, addressee] = commandForm.exec(text) ?? [];
  // A command to another bot of the group.
  if (addressee && addressee.toLowerCase() !== bot.username.toLowerCase()) return null;
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
    hasAttachment,
    ...(command ? { command: command as 'start' | 'help' } : {}),
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
