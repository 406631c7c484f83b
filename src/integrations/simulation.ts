import { z } from 'zod';
import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { characters, name, text } from '../core/text/text-input.ts';
import { waitUntil } from '../core/waiting/wait-until.ts';
import { openBot } from './bot-token.ts';
import type { IntegrationStatus } from './integration.entity.ts';
import type { Bot, PlatformKind } from './platforms.ports.ts';

/** A message on a simulated platform. */
export interface SimulatedMessage {
  id: string;
  channelId: string;
  author: string;
  text: string;
  fromBot: boolean;
  createdAt: Date;
}

/** The functions of the platform simulators that the development routes use. */
export type SimulatedPlatforms = Record<
  PlatformKind,
  {
    write(message: Bot & { channelId?: string; author: string; text: string; mention?: boolean }): SimulatedMessage;
    messages(bot: Bot & { channelIds: readonly string[] }): SimulatedMessage[];
    /** Returns whether a message that is written now reaches the bot. */
    isConnected(bot: Bot): boolean;
  }
>;

// Field names are in snake_case, like those of REST.
const writeInput = z.object({
  channel_id: characters({ min: 1, max: 100 }).optional(),
  author: name({ max: 80 }),
  text: text({ min: 1, max: 4_000 }),
  mention: z.boolean().default(false),
});

const read = {
  name: 'simulation_integration',
  text: `
    select i.id, i.platform, i.place, i.status, i.channel_ids as "channelIds", i.bot_token as "botToken", c.announced
    from integrations i join integration_connections c on c.integration_id = i.id where i.id = $1`,
};

interface Row {
  id: string;
  platform: PlatformKind;
  place: string;
  status: IntegrationStatus;
  channelIds: string[];
  botToken: string;
  announced: boolean;
}

/**
 * Time limit for the connection, in milliseconds. After a restart a bot may first have to find that its session no
 * longer exists.
 */
const connectedWithinMs = 20_000;
const pollMs = 50;

/**
 * Writes a message as a user on the simulated platform. Waits until the integration is connected, also after a restart
 * of the service, because an earlier message would not reach the bot.
 * @throws AppError `not_found`, `invalid_request`
 */
export async function writeSimulatedMessage(
  ctx: Ctx,
  platforms: SimulatedPlatforms,
  integrationId: string,
  input: unknown,
): Promise<SimulatedMessage> {
  let integration = await readIntegration(ctx, integrationId);
  const { channel_id: channelId = integration.channelIds[0], ...message } = parseInput(writeInput, input ?? {});
  const isSettled = async (): Promise<boolean> => {
    integration = await readIntegration(ctx, integrationId);
    const isUp = integration.announced && platforms[integration.platform].isConnected(openBot(ctx.config, integration));
    return integration.status !== 'active' || isUp;
  };
  await waitUntil(isSettled, { timeoutMs: connectedWithinMs, everyMs: pollMs });
  const bot = openBot(ctx.config, integration);
  return platforms[integration.platform].write({ ...bot, ...message, ...(channelId ? { channelId } : {}) });
}

/** Lists the messages that the bot can see, oldest first. @throws AppError `not_found` */
export async function listSimulatedMessages(
  ctx: Ctx,
  platforms: SimulatedPlatforms,
  integrationId: string,
): Promise<SimulatedMessage[]> {
  const integration = await readIntegration(ctx, integrationId);
  const { channelIds } = integration;
  return platforms[integration.platform].messages({ ...openBot(ctx.config, integration), channelIds });
}

async function readIntegration(ctx: Ctx, id: string): Promise<Row> {
  const [row] = isId('int_', id) ? await ctx.sql<Row>(read, [id]) : [];
  if (!row) throw notFound();
  return row;
}
