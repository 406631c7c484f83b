import { lazy } from '../core/lazy.ts';
import type { ChatPlatform, ChatPlatforms } from '../integrations/platforms.ports.ts';
import type { SimulatedPlatforms } from '../integrations/simulation.ts';
import { readCall } from '../providers/slack/calls.ts';
import { simulatePlatforms, type SimulatorOptions } from './simulators.ts';

/**
 * Connects the chat platforms through their SDKs. Simulated platforms are served on loopback unless an API base is
 * configured.
 */
export async function connectChatPlatforms(
  options: SimulatorOptions,
): Promise<{ platforms: ChatPlatforms; simulated: SimulatedPlatforms | null }> {
  const { config, clock } = options;
  const { apiBases } = config.platforms;
  const simulation = config.platforms.simulated ? await simulatePlatforms(options) : null;
  const signingSecret = simulation?.signingSecret ?? config.platforms.signingSecret;
  const apiBaseOf = (platform: keyof ChatPlatforms) =>
    apiBases[platform] ?? simulation?.platforms[platform].apiBase ?? null;
  const platforms: ChatPlatforms = {
    chat_server: lazyPlatform(true, async () => {
      const { createChatServer } = await import('../providers/discord/chat-server.ts');
      return createChatServer({ apiBase: apiBaseOf('chat_server') });
    }),
    chat_messenger: lazyPlatform(false, async () => {
      const { createChatMessenger } = await import('../providers/telegram/chat-messenger.ts');
      return createChatMessenger({ apiBase: apiBaseOf('chat_messenger') });
    }),
    chat_workspace: {
      ...lazyPlatform(false, async () => {
        const { createChatWorkspace } = await import('../providers/slack/chat-workspace.ts');
        return createChatWorkspace({ apiBase: apiBaseOf('chat_workspace') });
      }),
      readCall: (request) => readCall(request, signingSecret, clock.realNow()),
    },
  };
  return { platforms, simulated: simulation?.platforms ?? null };
}

/**
 * Returns a platform whose SDK is imported with the first bot: the three SDKs take 70 MB and a third of a second of the
 * startup time. `detectsDuplicates` is repeated here because it is needed before the SDK is loaded.
 */
function lazyPlatform(detectsDuplicates: boolean, load: () => Promise<ChatPlatform>): ChatPlatform {
  const platform = lazy(async () => {
    const loaded = await load();
    if (loaded.detectsDuplicates !== detectsDuplicates)
      throw new Error('detectsDuplicates differs from the platform’s own');
    return loaded;
  });
  return {
    detectsDuplicates,
    connect: async (options) => (await platform()).connect(options),
    send: async (bot, message) => (await platform()).send(bot, message),
    showTyping: async (bot, target) => (await platform()).showTyping(bot, target),
    listPlaces: async (token) => (await platform()).listPlaces(token),
    defaultTarget: async (bot) => (await (await platform()).defaultTarget?.(bot)) ?? null,
  };
}
