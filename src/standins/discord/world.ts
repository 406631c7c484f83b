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

interface Said {
  guildId: string;
  channelId: string;
  author: DiscordUser;
  text: string;
  mentions: DiscordUser[];
  replyTo?: string;
}

/** Bots, guilds, channels and what was said in them. */
export function createDiscordWorld(log: ReturnType<typeof createChatLog>) {
  const guilds = new Map<string, string>();
  const joined = new Map<string, Set<string>>();
  const data = new Map<string, Record<string, unknown>>();
  const listeners = new Set<(event: DiscordEvent) => void>();
  const events: DiscordEvent[] = [];
  // A snowflake of now: what was said before this process has been answered under its ids.
  let lastId = (BigInt(Date.now()) - 1_420_070_400_000n) << 22n;

  const world = {
    /** Thread to channel. */
    threads: new Map<string, string>(),
    revoked: new Set<string>(),
    typing: [] as string[],
    events: events as readonly DiscordEvent[],
    /** Messages by author, channel and nonce. */
    nonces: new Map<string, string>(),
    counts: { sentByBots: 0 },
    isBot: (token: string) => token !== '' && !token.startsWith('bad') && !world.revoked.has(token),
    botOf: (token: string): DiscordUser => ({
      id: BigInt(`0x${createHash('sha256').update(token).digest('hex').slice(0, 14)}`).toString(),
      username: 'agent',
      bot: true,
    }),
    join(token: string, place: string) {
      joined.set(token, (joined.get(token) ?? new Set()).add(place));
    },
    sees: (token: string, guildId: string) => joined.get(token)?.has(guildId) ?? true,
    guildOf: (channelId: string) => guilds.get(world.threads.get(channelId) ?? channelId) ?? null,
    messageOf: (id: string) => data.get(id),
    onEvent: (listener: (event: DiscordEvent) => void) => listeners.add(listener),
    say({ guildId, channelId, author, text, mentions, replyTo }: Said): SimulatedMessage {
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
