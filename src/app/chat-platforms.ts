import { randomBytes } from 'node:crypto';
import { atFirstUse } from '../core/first-use.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import type { ChatPlatform, ChatPlatforms } from '../integrations/platforms.ports.ts';
import type { SimulatedPlatforms } from '../integrations/simulation.ts';
import { readCall } from '../providers/slack/calls.ts';
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
  const apiBaseOf = (platform: keyof ChatPlatforms) => apiBases[platform] ?? standIns?.[platform].apiBase ?? null;
  const platforms: ChatPlatforms = {
    chat_server: loadedAtUse(true, async () => {
      const { createChatServer } = await import('../providers/discord/chat-server.ts');
      return createChatServer({ apiBase: apiBaseOf('chat_server') });
    }),
    chat_messenger: loadedAtUse(false, async () => {
      const { createChatMessenger } = await import('../providers/telegram/chat-messenger.ts');
      return createChatMessenger({ apiBase: apiBaseOf('chat_messenger') });
    }),
    chat_workspace: {
      ...loadedAtUse(false, async () => {
        const { createChatWorkspace } = await import('../providers/slack/chat-workspace.ts');
        return createChatWorkspace({ apiBase: apiBaseOf('chat_workspace') });
      }),
      readCall: (request) => readCall(request, signingSecret, clock.now()),
    },
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

/**
 * A platform whose SDK is loaded with the first bot: together the three take 70 MB and a third of a second of the start.
 * `tellsRepetitions` is what the platform says of itself, known before it is there.
 */
function loadedAtUse(tellsRepetitions: boolean, load: () => Promise<ChatPlatform>): ChatPlatform {
  const platform = atFirstUse(async () => {
    const loaded = await load();
    if (loaded.tellsRepetitions !== tellsRepetitions) throw new Error('the platform says otherwise of itself');
    return loaded;
  });
  return {
    tellsRepetitions,
    connect: async (options) => (await platform()).connect(options),
    send: async (bot, message) => (await platform()).send(bot, message),
    showTyping: async (bot, target) => (await platform()).showTyping(bot, target),
    defaultTarget: async (bot) => (await (await platform()).defaultTarget?.(bot)) ?? null,
  };
}
