import {
  type API,
  type APIRole,
  ChannelType,
  type GatewayMessageCreateDispatchData,
  MessageType,
} from '@discordjs/core';
import type { InboundMessage } from '../../integrations/platforms.ports.ts';

const threadTypes: readonly ChannelType[] = [
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
];
const personMessageTypes: readonly MessageType[] = [MessageType.Default, MessageType.Reply];

interface Self {
  guildId: string;
  botUserId: string;
  parentOf: ParentOf;
  rolesOf: RolesOf;
}

/**
 * Converts a person's message in the guild. Returns null for everything else: bots (including this one), webhooks,
 * joins, other guilds.
 */
export async function toInbound(data: GatewayMessageCreateDispatchData, self: Self): Promise<InboundMessage | null> {
  const { guildId, botUserId, parentOf } = self;
  if (!isComplete(data) || data.guild_id !== guildId || data.author.bot === true || data.webhook_id) return null;
  if (data.author.id === botUserId || !personMessageTypes.includes(data.type)) return null;
  const roles = (data.mention_roles ?? []).length > 0 ? await self.rolesOf(guildId) : [];
  // Discord gives each bot a role of its own, whose name people often choose instead of the bot's.
  const own = roles.find(({ tags }) => tags?.bot_id === botUserId)?.id;
  const mention = new RegExp(`<@!?${botUserId}>${own ? `|<@&${own}>` : ''}`, 'g');
  const isMentioned = data.mentions.some(({ id }) => id === botUserId) || data.content.search(mention) >= 0;
  const rest = data.content.replace(mention, '').trim();
  const hasAttachment = (data.attachments?.length ?? 0) > 0 || (data.sticker_items?.length ?? 0) > 0;
  return {
    eventId: data.id,
    channelId: (await parentOf(data.channel_id)) ?? data.channel_id,
    chatId: data.channel_id,
    personId: data.author.id,
    text: readable(rest || (hasAttachment ? '' : data.content), data.mentions, roles),
    hasAttachment,
    isDirected: isMentioned || data.referenced_message?.author.id === botUserId,
    target: { channelId: data.channel_id, replyTo: data.id },
  };
}

/** Returns a text with the names of people, roles and emojis instead of their ids. */
const readable = (
  text: string,
  people: readonly { id: string; username: string; global_name?: string | null }[],
  roles: readonly APIRole[],
): string =>
  text
    .replaceAll(/<@!?(\d+)>/g, (all, id: string) => {
      const person = people.find((one) => one.id === id);
      return person ? `@${person.global_name ?? person.username}` : all;
    })
    .replaceAll(/<@&(\d+)>/g, (all, id: string) => {
      const role = roles.find((one) => one.id === id);
      return role ? `@${role.name}` : all;
    })
    .replaceAll(/<a?(:\w{1,40}:)\d+>/g, '$1');

/** Returns the roles of a guild; none if they cannot be listed. */
export type RolesOf = (guildId: string) => Promise<readonly APIRole[]>;

const rolesFreshMs = 300_000;

/** Creates a cached lookup. A failure is cached as well, so that mentions do not cause a call each. */
export function createRolesOf(api: API): RolesOf {
  let known: { roles: Promise<readonly APIRole[]>; readMs: number } | null = null;
  return (guildId) => {
    if (known && performance.now() - known.readMs < rolesFreshMs) return known.roles;
    known = { roles: api.guilds.getRoles(guildId).catch(() => []), readMs: performance.now() };
    return known.roles;
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
