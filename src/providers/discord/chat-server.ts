import { outgoingFetch } from '../../core/http/outgoing.ts';
import { createHash } from 'node:crypto';
import { API, GatewayDispatchEvents } from '@discordjs/core';
import { REST } from '@discordjs/rest';
import type { Bot, ChatPlatform, ConnectOptions } from '../../integrations/platforms.ports.ts';
import { toPlatformError } from './errors.ts';
import { holdGateway } from './gateway.ts';
import { createParentOf, createRolesOf, toInbound } from './messages.ts';
import { listPlaces } from './places.ts';

const requestTimeoutMs = 10_000;
const keptClients = 500;

/**
 * Creates the `chat_server` platform on Discord's own libraries. `apiBase` ends in `/api`; null means Discord itself.
 */
export function createChatServer({ apiBase }: { apiBase: string | null }): ChatPlatform {
  const clients = new Map<string, API>();

  const newClient = (token: string): API =>
    new API(
      new REST({
        ...(apiBase ? { api: apiBase } : {}),
        timeout: requestTimeoutMs,
        makeRequest: (url, init) => outgoingFetch(url, init as RequestInit) as Promise<never>,
        retries: 1,
        // The SDK would repeat a refused call without a limit, and without a pause if the platform asks for none.
        rejectOnRateLimit: () => true,
      }).setToken(token),
    );

  // A client's timers would otherwise prevent its garbage collection.
  const release = ({ rest }: API): void => {
    rest.clearHashSweeper();
    rest.clearHandlerSweeper();
  };

  const forget = (token: string): void => {
    const client = clients.get(token);
    if (client) release(client);
    clients.delete(token);
  };

  // One client for each bot, because the client tracks the bot's rate limits.
  const clientOf = ({ token }: Bot): API => {
    const known = clients.get(token);
    if (known) return known;
    if (clients.size >= keptClients) forget(clients.keys().next().value ?? '');
    const client = newClient(token);
    clients.set(token, client);
    return client;
  };

  // The SDK drops a token after a 401, so the next attempt needs a new client.
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
    detectsDuplicates: true,
    connect: (options) => run(options.bot, (client) => connect(client, options)),
    async send(bot, { target, text, key }) {
      const body = {
        content: text,
        nonce: nonceOf(key),
        enforce_nonce: true,
        // Model output must not mention (notify) users.
        allowed_mentions: { parse: [] },
        ...(target.replyTo ? { message_reference: { message_id: target.replyTo, fail_if_not_exists: false } } : {}),
      };
      return (await run(bot, ({ channels }) => channels.createMessage(target.channelId, body))).id;
    },
    async listPlaces(token) {
      const client = newClient(token);
      try {
        return await listPlaces(client);
      } catch (error) {
        throw toPlatformError(error);
      } finally {
        release(client);
      }
    },
    showTyping: (bot, { channelId }) => run(bot, ({ channels }) => channels.showTyping(channelId)),
  };
}

async function connect(client: API, options: ConnectOptions): Promise<void> {
  const { bot, session, signal, onUp, onMessage, onSession } = options;
  const parentOf = createParentOf(client);
  const rolesOf = createRolesOf(client);
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
      const self = { guildId: bot.place, botUserId: botUserIdOf(behind, botUserId), parentOf, rolesOf };
      // A malformed event must not end the connection, because every resume would replay it.
      const message = await toInbound(payload.d, self).catch(() => null);
      if (message) await onMessage(message, behind);
    },
  });
}

/**
 * Returns the bot's user id. After a resume, replayed events arrive before the event that reports the connection as up.
 */
const botUserIdOf = (session: ConnectOptions['session'], known: string): string =>
  known || String(session?.['botUserId'] ?? '');

/** Returns the nonce for a key. Discord allows at most 25 characters. */
const nonceOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 24);
