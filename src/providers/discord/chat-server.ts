import { createHash } from 'node:crypto';
import { API, GatewayDispatchEvents } from '@discordjs/core';
import { REST } from '@discordjs/rest';
import type { Bot, ChatPlatform, ConnectOptions } from '../../integrations/platforms.ports.ts';
import { toPlatformError } from './errors.ts';
import { holdGateway } from './gateway.ts';
import { createParentOf, toInbound } from './messages.ts';

const requestTimeoutMs = 10_000;
/** Waits that the SDK may take by itself; longer ones are for the caller, who lets others go first. */
const shortWaitMs = 5_000;
const keptClients = 500;

/** chat_server through Discord's own libraries. `apiBase` ends in `/api`; null: Discord. */
export function createChatServer({ apiBase }: { apiBase: string | null }): ChatPlatform {
  const clients = new Map<string, API>();

  const forget = (token: string): void => {
    const rest = clients.get(token)?.rest;
    // Its timers would hold what nobody uses any more.
    rest?.clearHashSweeper();
    rest?.clearHandlerSweeper();
    clients.delete(token);
  };

  // One for each bot, because it keeps the bot's rate limits.
  const clientOf = ({ token }: Bot): API => {
    const known = clients.get(token);
    if (known) return known;
    const rest = new REST({
      ...(apiBase ? { api: apiBase } : {}),
      timeout: requestTimeoutMs,
      retries: 1,
      rejectOnRateLimit: ({ timeToReset, retryAfter }) => Math.max(timeToReset, retryAfter) > shortWaitMs,
    }).setToken(token);
    if (clients.size >= keptClients) forget(clients.keys().next().value ?? '');
    const client = new API(rest);
    clients.set(token, client);
    return client;
  };

  // The SDK forgets a token that was refused once; the next try is with a new client.
  const run = async <Result>(bot: Bot, work: (client: API) => Promise<Result>): Promise<Result> => {
    try {
      return await work(clientOf(bot));
    } catch (error) {
      const failure = toPlatformError(error);
      if (failure.kind === 'auth') forget(bot.token);
      throw failure;
    }
  };

  return {
    tellsRepetitions: true,
    connect: (options) => run(options.bot, (client) => connect(client, options)),
    async send(bot, { target, text, key }) {
      const body = {
        content: text,
        nonce: nonceOf(key),
        enforce_nonce: true,
        // Whatever a model writes, it pings nobody.
        allowed_mentions: { parse: [] },
        ...(target.replyTo ? { message_reference: { message_id: target.replyTo, fail_if_not_exists: false } } : {}),
      };
      return (await run(bot, ({ channels }) => channels.createMessage(target.channelId, body))).id;
    },
    showTyping: (bot, { channelId }) => run(bot, ({ channels }) => channels.showTyping(channelId)),
  };
}

async function connect(client: API, options: ConnectOptions): Promise<void> {
  const { bot, session, signal, onUp, onMessage, onSession } = options;
  const parentOf = createParentOf(client);
  let botUserId = '';
  await holdGateway({
    rest: client.rest,
    token: bot.token,
    session,
    signal,
    onSession,
    onReady: async (id) => {
      botUserId = id;
      await onUp(id);
    },
    onDispatch: async (payload, behind) => {
      if (payload.t !== GatewayDispatchEvents.MessageCreate) return;
      const self = { guildId: bot.place, botUserId: botUserIdOf(behind, botUserId), parentOf };
      // Not even a malformed event may end the connection: it would be replayed at every resume.
      const message = await toInbound(payload.d, self).catch(() => null);
      if (message) await onMessage(message, behind);
    },
  });
}

/** What is replayed after a resume comes before the word that the connection is up. */
const botUserIdOf = (session: ConnectOptions['session'], known: string): string =>
  known || String(session?.['botUserId'] ?? '');

/** At most 25 characters. */
const nonceOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 24);
