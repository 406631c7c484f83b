import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import type { ChatPlatforms } from '../integrations/platforms.ports.ts';
import type { SimulatedPlatforms } from '../integrations/simulation.ts';
import { createChatServer } from '../providers/discord/chat-server.ts';
import { createChatWorkspace } from '../providers/slack/chat-workspace.ts';
import { createChatMessenger } from '../providers/telegram/chat-messenger.ts';
import { startDiscordStandIn } from '../standins/discord.ts';
import { startSlackStandIn } from '../standins/slack.ts';
import { startTelegramStandIn } from '../standins/telegram.ts';

interface ChatPlatformOptions {
  config: Config;
  clock: Clock;
  /** Where this process listens, for the stand-in that calls it. */
  localUrl: () => string;
  /** Called with what is to be stopped. */
  onStarted: (stop: () => Promise<void>) => void;
}

/** The chat platforms through their SDKs; simulated, they are stand-ins on loopback, unless an API base says otherwise. */
export async function startChatPlatforms(
  options: ChatPlatformOptions,
): Promise<{ platforms: ChatPlatforms; simulated: SimulatedPlatforms | null }> {
  const { config, clock } = options;
  const { apiBases, simulated } = config.platforms;
  // A secret that nobody knows: without one of its own the service believes its own stand-in only.
  const signingSecret = config.platforms.signingSecret ?? (simulated ? randomBytes(24).toString('hex') : null);
  const standIns = simulated ? await startStandIns(options, signingSecret ?? '') : null;
  const platforms = {
    chat_server: createChatServer({ apiBase: apiBases.chat_server ?? standIns?.chat_server.apiBase ?? null }),
    chat_messenger: createChatMessenger({
      apiBase: apiBases.chat_messenger ?? standIns?.chat_messenger.apiBase ?? null,
    }),
    chat_workspace: createChatWorkspace({
      apiBase: apiBases.chat_workspace ?? standIns?.chat_workspace.apiBase ?? null,
      signingSecret,
      clock,
    }),
  };
  return { platforms, simulated: standIns };
}

async function startStandIns({ localUrl, onStarted }: ChatPlatformOptions, signingSecret: string) {
  const discord = await startDiscordStandIn();
  onStarted(() => discord.stop());
  const telegram = await startTelegramStandIn();
  onStarted(() => telegram.stop());
  const eventsUrl = () => `${localUrl()}/platforms/chat_workspace/events`;
  const slack = await startSlackStandIn({ signingSecret, eventsUrl });
  onStarted(() => slack.stop());
  return { chat_server: discord, chat_messenger: telegram, chat_workspace: slack };
}
