import { createHash } from 'node:crypto';
import type { createChatLog, SimulatedMessage } from '../chat-log.ts';

export interface DiscordUser {
  id: string;
  username: string;
  bot: boolean;
}

export interface DiscordEvent {
  guildId: string;
  data: Record<string, unknown>;
}

interface SentMessage {
  guildId: string;
  channelId: string;
  author: DiscordUser;
  text: string;
  mentions: DiscordUser[];
  replyTo?: string;
  roles?: string[];
  attachment?: boolean;
}

const unknownGuild = 'unknown';

/** Guild of a bot that was added to none. Its channels exist before anyone writes. */
export const exampleGuild = { id: '420070400000000001', name: 'Example community' };
const exampleChannels = ['general', 'help'];

/**
 * Creates the state of a simulated Discord: bots, guilds, channels and messages. Channel ids can be the same in several
 * guilds, because a person enters them.
 */
export function createDiscordWorld(log: ReturnType<typeof createChatLog>) {
  const guilds = new Map<string, string>();
  const joined = new Map<string, Set<string>>();
  const data = new Map<string, Record<string, unknown>>();
  const listeners = new Set<(event: DiscordEvent) => void>();
  const events: DiscordEvent[] = [];
  /** Guild of a bot's last reply, by bot and channel. */
  const replied = new Map<string, string>();
  // Starts with a snowflake of the current time, because ids of an earlier process have already been handled.
  let lastId = (BigInt(Date.now()) - 1_420_070_400_000n) << 22n;

  const world = {
    /** Channel of each thread. */
    threads: new Map<string, string>(),
    revoked: new Set<string>(),
    typing: [] as string[],
    events: events as readonly DiscordEvent[],
    /** Messages by author, channel and nonce. */
    nonces: new Map<string, string>(),
    counts: { sentByBots: 0, failed: 0 },
    isBot: (token: string) => token !== '' && !token.startsWith('bad') && !world.revoked.has(token),
    botOf: (token: string): DiscordUser => ({
      id: BigInt(`0x${createHash('sha256').update(token).digest('hex').slice(0, 14)}`).toString(),
      username: 'agent',
      bot: true,
    }),
    /** The role that Discord creates for a bot, with the name of the bot. */
    roleOf: (token: string) => {
      const { id, username } = world.botOf(token);
      return { id: `9${id}`, name: username, managed: true, tags: { bot_id: id } };
    },
    join(token: string, guildId: string) {
      joined.set(token, (joined.get(token) ?? new Set()).add(guildId));
    },
    sees: (token: string, guildId: string) => joined.get(token)?.has(guildId) ?? true,
    guildsOf: (token: string): string[] => [...(joined.get(token) ?? [exampleGuild.id])],
    channelsOf: (guildId: string): string[] => {
      const written = [...guilds].filter(([, guild]) => guild === guildId).map(([channelId]) => channelId);
      return [...new Set([...exampleChannels, ...written])];
    },
    guildOf: (channelId: string) => guilds.get(world.threads.get(channelId) ?? channelId) ?? null,
    messageOf: (id: string) => data.get(id),
    /**
     * Returns the guild of a reply. A bot sends only the channel, so the guild is that of the message it replies to, or
     * of its last reply in the channel.
     */
    guildOfReply(bot: DiscordUser, channelId: string, replyTo: string | undefined): string {
      const key = `${bot.id} ${channelId}`;
      const answered = replyTo === undefined ? undefined : data.get(replyTo)?.['guild_id'];
      if (typeof answered === 'string') replied.set(key, answered);
      return replied.get(key) ?? world.guildOf(channelId) ?? unknownGuild;
    },
    /** Returns whether a message is in the guild, or was sent by the bot in a channel whose guild is unknown. */
    isIn(messageId: string, guildId: string, bot: DiscordUser): boolean {
      const message = data.get(messageId);
      const author = message?.['author'] as DiscordUser | undefined;
      return message?.['guild_id'] === guildId || (message?.['guild_id'] === unknownGuild && author?.id === bot.id);
    },
    onEvent: (listener: (event: DiscordEvent) => void) => listeners.add(listener),
    say({
      guildId,
      channelId,
      author,
      text,
      mentions,
      replyTo,
      roles = [],
      attachment = false,
    }: SentMessage): SimulatedMessage {
      const id = (++lastId).toString();
      const createdAt = new Date();
      guilds.set(world.threads.get(channelId) ?? channelId, guildId);
      const message = {
        id,
        type: replyTo ? 19 : 0,
        channel_id: channelId,
        guild_id: guildId,
        author,
        content: text,
        mentions,
        mention_roles: roles,
        attachments: attachment ? [{ id: '1', filename: 'voice-message.ogg', size: 1, url: '', proxy_url: '' }] : [],
        timestamp: createdAt.toISOString(),
        ...(replyTo ? { referenced_message: data.get(replyTo) ?? null } : {}),
      };
      data.set(id, message);
      const simulated = { id, channelId, author: author.username, text, fromBot: author.bot, createdAt };
      log.add(simulated);
      if (author.bot) world.counts.sentByBots++;
      const event = { guildId, data: message };
      events.push(event);
      for (const listener of listeners) listener(event);
      return simulated;
    },
  };
  return world;
}

export type DiscordWorld = ReturnType<typeof createDiscordWorld>;
