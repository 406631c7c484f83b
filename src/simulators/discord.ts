import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { createChatLog, createFaults, type Fault, type PersonWrites, type SimulatedPlatform } from './chat-log.ts';
import { registerDiscordApi } from './discord/api.ts';
import { createDiscordGateway } from './discord/gateway.ts';
import { createDiscordWorld } from './discord/world.ts';

export interface DiscordSimulator extends SimulatedPlatform {
  /** Base URL of the API, ending in `/api` as the SDK requires. */
  apiBase: string;
  /** Opens a thread in a channel. In Discord a thread is a channel with its own id. */
  openThread(channelId: string, threadId: string): void;
  /** Adds the bot to a guild. A bot without any guild is a member of all of them. */
  join(token: string, place: string): void;
  write(message: DiscordWrites): ReturnType<SimulatedPlatform['write']>;
  fail(fault: Fault): void;
  /** Sends every message event again to all connections. */
  redeliver(): void;
  /** Sends a raw text over every gateway connection. */
  sendRaw(text: string): void;
  /** Closes every gateway connection, or those of one bot. A null `code` closes without a close frame. */
  drop(code: number | null, token?: string): void;
  /** Invalidates every session, so that none can be resumed. */
  forgetSessions(): void;
  revoke(token: string): void;
  readonly connections: number;
  /** Number of calls that failed. */
  readonly failed: number;
  /** Number of messages that bots sent. */
  readonly sentByBots: number;
  /** Number of identify and resume requests. */
  readonly identified: number;
  readonly resumed: number;
  readonly typing: readonly string[];
  stop(): Promise<void>;
}

interface DiscordWrites extends PersonWrites {
  /** Id of the message that this one replies to. */
  replyTo?: string;
  /** Whether the author is a bot. */
  asBot?: boolean;
  /** Whether a mention is of the bot's role instead of the bot. */
  asRole?: boolean;
}

/**
 * Starts a loopback server that speaks Discord's protocol: REST v10, and the gateway with hello, identify, resume,
 * heartbeats and invalid sessions. Accepts any token that does not begin with `bad`.
 */
export async function startDiscordSimulator({
  heartbeatMs = 41_250,
}: { heartbeatMs?: number } = {}): Promise<DiscordSimulator> {
  const faults = createFaults();
  const log = createChatLog();
  const world = createDiscordWorld(log);
  const app = Fastify({ forceCloseConnections: true });
  const gateway = createDiscordGateway(world, heartbeatMs);
  registerDiscordApi(app, { world, faults, gatewayUrl: () => `ws://127.0.0.1:${port()}/gateway` });
  app.server.on('upgrade', (request, socket, head) => gateway.upgrade(request, socket, head));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const port = () => (app.server.address() as AddressInfo).port;
  const addressed = (token: string, text: string, isMention: boolean, asRole: boolean) => {
    if (!isMention) return text;
    return `${asRole ? `<@&${world.roleOf(token).id}>` : `<@${world.botOf(token).id}>`} ${text}`;
  };
  return {
    apiBase: `http://127.0.0.1:${port()}/api`,
    openThread: (channelId, threadId) => void world.threads.set(threadId, channelId),
    join: (token, place) => world.join(token, place),
    write: ({
      token,
      place,
      channelId = 'general',
      author,
      text,
      mention = false,
      replyTo,
      asBot = false,
      asRole = false,
      attachment = false,
    }) =>
      world.say({
        guildId: place,
        channelId,
        author: { id: author, username: author, bot: asBot },
        text: addressed(token, text, mention, asRole),
        mentions: mention && !asRole ? [world.botOf(token)] : [],
        roles: mention && asRole ? [world.roleOf(token).id] : [],
        attachment,
        ...(replyTo ? { replyTo } : {}),
      }),
    messages: ({ token, place, channelIds = [] }) =>
      log.messages.filter(
        ({ id, channelId }) =>
          world.isIn(id, place, world.botOf(token)) &&
          (channelIds.length === 0 || channelIds.includes(world.threads.get(channelId) ?? channelId)),
      ),
    isConnected: ({ token }) => gateway.isConnected(token),
    fail: faults.add,
    redeliver: () => world.events.forEach((event) => gateway.dispatch(event)),
    sendRaw: gateway.sendRaw,
    drop: (code, token) => gateway.drop(code, token),
    forgetSessions: gateway.forget,
    revoke: (token) => void world.revoked.add(token),
    get failed() {
      return world.counts.failed;
    },
    get sentByBots() {
      return world.counts.sentByBots;
    },
    get connections() {
      return gateway.sockets.size;
    },
    get identified() {
      return gateway.counts.identified;
    },
    get resumed() {
      return gateway.counts.resumed;
    },
    typing: world.typing,
    async stop() {
      gateway.drop(null);
      await app.close();
    },
  };
}
