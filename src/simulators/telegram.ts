import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyReply } from 'fastify';
import { createChatLog, createFaults, type Fault, type PersonWrites, type SimulatedPlatform } from './chat-log.ts';
import { createUpdateQueues, idAtStart } from './telegram/updates.ts';

export interface TelegramSimulator extends SimulatedPlatform {
  /** Base URL of the Bot API. */
  apiBase: string;
  write(message: TelegramWrites): ReturnType<SimulatedPlatform['write']>;
  fail(fault: Fault): void;
  /** Delivers every update again, including confirmed ones. */
  redeliver(token: string): void;
  /** Delivers an update that is not a message. */
  sendRaw(token: string, update: object): void;
  revoke(token: string): void;
  readonly typing: readonly string[];
  /** Number of waiting long polls. */
  readonly polls: number;
  stop(): Promise<void>;
}

interface TelegramWrites extends PersonWrites {
  /** Whether the message replies to the bot's last message in the chat. */
  asReply?: boolean;
  asBot?: boolean;
}

const numberOf = (text: string): number =>
  /^-?\d+$/.test(text)
    ? Number(text)
    : Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 12), 16);

/** Starts a loopback server that speaks Telegram's Bot API. Accepts any token that does not begin with `bad`. */
export async function startTelegramSimulator(): Promise<TelegramSimulator> {
  const faults = createFaults();
  // One log per bot, because a private chat has the same id for all bots.
  const logs = new Map<string, ReturnType<typeof createChatLog>>();
  const logOf = (token: string) => {
    const log = logs.get(token) ?? createChatLog();
    logs.set(token, log);
    return log;
  };
  const queues = createUpdateQueues();
  const revoked = new Set<string>();
  const typing: string[] = [];
  let lastMessageId = idAtStart();
  const app = Fastify({ forceCloseConnections: true });
  const botOf = (token: string) => ({
    id: numberOf(/^\d+/.exec(token)?.[0] ?? token),
    is_bot: true,
    first_name: 'Agent',
    username: `agent${numberOf(token) % 100_000}bot`,
  });
  const isBot = (token: string) => !token.startsWith('bad') && !revoked.has(token);
  const fail = (reply: FastifyReply, code: number, retryAfter?: number | null) =>
    reply.code(code).send({
      ok: false,
      error_code: code,
      description: code === 429 ? `Too Many Requests: retry after ${retryAfter}` : `Error ${code}`,
      ...(retryAfter === undefined || retryAfter === null ? {} : { parameters: { retry_after: retryAfter } }),
    });

  const methods: Record<string, (token: string, body: Record<string, unknown>, gone: AbortSignal) => unknown> = {
    getMe: (token) => ({ ...botOf(token), can_join_groups: true, can_read_all_group_messages: true }),
    deleteWebhook: () => true,
    sendChatAction: (_token, { chat_id: chat }) => {
      typing.push(String(chat));
      return true;
    },
    getUpdates: (token, { offset = 0, limit = 100, timeout = 0 }, gone) =>
      queues.poll(token, { offset: Number(offset), limit: Number(limit), timeoutMs: Number(timeout) * 1_000, gone }),
    sendMessage: (token, { chat_id: chatId, text, message_thread_id: thread }) => {
      const id = ++lastMessageId;
      const channelId = thread === undefined ? String(chatId) : `${String(chatId)}:${Number(thread)}`;
      logOf(token).add({
        id: String(id),
        channelId,
        author: botOf(token).username,
        text: String(text),
        fromBot: true,
        createdAt: new Date(),
      });
      return {
        message_id: id,
        date: Math.floor(Date.now() / 1000),
        chat: { id: Number(chatId), type: 'private' },
        text,
      };
    },
  };

  app.post('/*', async (request, reply) => {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)/.exec(decodeURI(request.url)) ?? [];
    const run = methods[method];
    if (!run) return fail(reply, 404);
    if (!isBot(token)) return fail(reply, 401);
    const body = (request.body ?? {}) as Record<string, unknown>;
    const { text } = body;
    if (method === 'sendMessage' && (typeof text !== 'string' || text === '' || text.length > 6_000))
      return fail(reply, 400);
    const fault = faults.take(request.url);
    if (fault?.afterEffect) run(token, body, new AbortController().signal);
    if (fault?.status === 0) return void request.raw.socket.destroy();
    if (fault) return fail(reply, fault.status, fault.retryAfterSeconds);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const result = await run(token, body, gone.signal);
    return result === 'conflict' ? fail(reply, 409) : { ok: true, result };
  });
  app.get('/*', async (_request, reply) => fail(reply, 405));
  await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    apiBase: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    write({ token, channelId, author, text, mention = false, asReply = false, asBot = false, attachment = false }) {
      const from = { id: numberOf(author), is_bot: asBot, first_name: author };
      const chatId = channelId === undefined ? from.id : numberOf(channelId);
      const bot = botOf(token);
      const written = mention ? `@${bot.username} ${text}` : text;
      const id = ++lastMessageId;
      const createdAt = new Date();
      const isPrivate = chatId === from.id;
      const message = {
        message_id: id,
        date: Math.floor(createdAt.getTime() / 1000),
        from,
        chat: isPrivate
          ? { id: chatId, type: 'private', first_name: author }
          : { id: chatId, type: 'supergroup', title: 'Group' },
        ...(attachment
          ? { voice: { file_id: 'f', duration: 2 }, ...(text ? { caption: written } : {}) }
          : { text: written }),
        ...(mention ? { entities: [{ type: 'mention', offset: 0, length: bot.username.length + 1 }] } : {}),
        ...(asReply ? { reply_to_message: { message_id: id - 1, from: bot, date: 0, chat: { id: chatId } } } : {}),
      };
      const simulated = { id: String(id), channelId: String(chatId), author, text: written, fromBot: asBot, createdAt };
      logOf(token).add(simulated);
      queues.push(token, { message });
      return simulated;
    },
    messages: ({ token }) => [...logOf(token).messages],
    // Always true: updates are queued until the bot polls.
    isConnected: () => true,
    fail: faults.add,
    redeliver: (token) => queues.rewind(token),
    sendRaw: (token, update) => queues.push(token, update),
    revoke: (token) => void revoked.add(token),
    typing,
    get polls() {
      return queues.waiting();
    },
    stop: () => app.close(),
  };
}
