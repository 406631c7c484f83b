import { type API, ChannelType, type GatewayMessageCreateDispatchData, MessageType } from '@discordjs/core';
import type { InboundMessage } from '../../integrations/platforms.ports.ts';

const threadTypes: readonly ChannelType[] = [
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
];
const personMessageTypes: readonly MessageType[] = [MessageType.Default, MessageType.Reply];

/**
 * Converts a person's message in the guild. Returns null for everything else: bots (including this one), webhooks,
 * joins, other guilds.
 */
export async function toInbound(
  data: GatewayMessageCreateDispatchData,
  { guildId, botUserId, parentOf }: { guildId: string; botUserId: string; parentOf: ParentOf },
): Promise<InboundMessage | null> {
  if (!isComplete(data) || data.guild_id !== guildId || data.author.bot === true || data.webhook_id) return null;
  if (data.author.id === botUserId || !personMessageTypes.includes(data.type)) return null;
  const mention = new RegExp(`<@!?${botUserId}>`, 'g');
  const isMentioned = data.mentions.some(({ id }) => id === botUserId) || mention.test(data.content);
  return {
    eventId: data.id,
    channelId: (await parentOf(data.channel_id)) ?? data.channel_id,
    chatId: data.channel_id,
    personId: data.author.id,
    text: data.content.replace(mention, '').trim() || data.content,
    isDirected: isMentioned || data.referenced_message?.author.id === botUserId,
    target: { channelId: data.channel_id, replyTo: data.id },
  };
}

/** Returns the channel that a thread belongs to; null for a channel that is not a thread. */
export type ParentOf = (channelId: string) => Promise<string | null>;

const rememberedChannels = 1_000;

/** Creates a cached lookup. A channel whose lookup fails counts as not a thread. */
export function createParentOf(api: API): ParentOf {
  const parents = new Map<string, string | null>();
  return async (channelId) => {
    const known = parents.get(channelId);
    if (known !== undefined) return known;
    const channel = await api.channels.get(channelId).catch(() => null);
    if (!channel) return null;
    const isThread = threadTypes.includes(channel.type) && 'parent_id' in channel;
    const parent = isThread ? (channel.parent_id ?? null) : null;
    if (parents.size >= rememberedChannels) parents.clear();
    parents.set(channelId, parent);
    return parent;
  };
}

/** Returns whether an event has all fields that the conversion reads. */
function isComplete(data: Partial<GatewayMessageCreateDispatchData> | null): boolean {
  return (
    typeof data?.id === 'string' &&
    typeof data.channel_id === 'string' &&
    typeof data.content === 'string' &&
    typeof data.author?.id === 'string' &&
    Array.isArray(data.mentions)
  );
}
