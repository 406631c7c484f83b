import type { API } from '@discordjs/core';
import { ChannelType } from '@discordjs/core';
import type { BotChannel, BotPlaces } from '../../integrations/platforms.ports.ts';
import { toPlatformError } from './errors.ts';

const maxGuilds = 20;
const maxChannels = 100;
const written = new Set<ChannelType>([ChannelType.GuildText, ChannelType.GuildAnnouncement]);

/** Lists the guilds of a bot with their text channels, in Discord's display order. */
export async function listPlaces(client: API): Promise<BotPlaces> {
  const [bot, guilds] = await Promise.all([
    client.users.getCurrent(),
    client.users.getGuilds({ limit: maxGuilds + 1 }),
  ]);
  const shown = guilds.slice(0, maxGuilds);
  const places = await Promise.all(
    shown.map(async ({ id, name }) => ({ id, name, ...(await channelsOf(client, id)) })),
  );
  return {
    botName: bot.username,
    places: places.map(({ id, name, channels }) => ({ id, name, channels: channels.slice(0, maxChannels) })),
    isComplete: guilds.length <= maxGuilds && places.every(({ channels }) => channels.length <= maxChannels),
  };
}

/** Returns the text channels of a guild; none if the bot was just removed or may not list them. */
async function channelsOf(client: API, guildId: string): Promise<{ channels: BotChannel[] }> {
  try {
    const channels = await client.guilds.getChannels(guildId);
    const texts = channels.filter(({ type }) => written.has(type));
    const position = (channel: object): number => ('position' in channel ? Number(channel.position) : 0);
    const sorted = texts.toSorted((a, b) => position(a) - position(b));
    return { channels: sorted.map(({ id, name }) => ({ id, name: name ?? id, isMember: true })) };
  } catch (error) {
    const failure = toPlatformError(error);
    if (failure.kind === 'refused') return { channels: [] };
    throw failure;
  }
}
