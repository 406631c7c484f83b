import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify from 'fastify';
import { createChatLog, createFaults, type Fault, type PersonWrites, type SimulatedPlatform } from './chat-log.ts';

export interface SlackSimulator extends SimulatedPlatform {
  /** Base URL of the API, ending in `/api/` as the SDK requires. */
  apiBase: string;
  write(message: SlackWrites): ReturnType<SimulatedPlatform['write']>;
  /** Installs the bot of `token` in one workspace. */
  join(token: string, place: string): void;
  fail(fault: Fault): void;
  /** Posts every event again. */
  redeliver(): Promise<void>;
  revoke(token: string): void;
  /** Resolves when every event is delivered. */
  settled(): Promise<void>;
  readonly typing: readonly string[];
  stop(): Promise<void>;
}

interface SlackWrites extends PersonWrites {
  threadId?: string;
  asBot?: boolean;
  /** Whether the text is sent in Slack's markup, as it is. */
  isRaw?: boolean;
}

interface SlackOptions {
  signingSecret: string;
  /** Returns the URL to which events are posted. Called for each event. */
  eventsUrl: () => string;
}

/** Workspace of a bot that was installed in none. Its channels exist in every workspace. */
const exampleTeam = 'T0EXAMPLE';
const exampleChannels = ['general', 'help', 'random'];

const retryPausesMs = [50, 500, 2_000];

/**
 * Starts a loopback server that speaks Slack's Web API and posts signed events, with retries. Accepts any token that
 * does not begin with `bad`. A bot receives events after it has called auth.test.
 */
export async function startSlackSimulator({ signingSecret, eventsUrl }: SlackOptions): Promise<SlackSimulator> {
  const faults = createFaults();
  const log = createChatLog();
  const bots = new Set<string>();
  const installed = new Map<string, string>();
  /** Workspace of each message by `ts`; empty when it is unknown. */
  const placeOf = new Map<string, string>();
  /** Workspace in which a person last wrote to a bot, by token and channel. */
  const lastPlace = new Map<string, string>();
  const revoked = new Set<string>();
  const typing: string[] = [];
  const sent: { channel: string; thread: string | undefined; ts: string; metadata: unknown }[] = [];
  const posts: string[] = [];
  const underway = new Set<Promise<void>>();
  let lastTs = Date.now() * 1_000;
  const nextTs = () => {
    lastTs = Math.max(lastTs + 1, Date.now() * 1_000);
    return `${Math.floor(lastTs / 1e6)}.${String(lastTs % 1e6).padStart(6, '0')}`;
  };
  const userOf = (token: string) => `U${createHash('sha256').update(token).digest('hex').slice(0, 9).toUpperCase()}`;

  const post = (body: string) => {
    const work = deliver(body).finally(() => underway.delete(work));
    underway.add(work);
  };
  const deliver = async (body: string) => {
    for (const [n, pauseMs] of [0, ...retryPausesMs].entries()) {
      await delay(pauseMs);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
      const headers = {
        'content-type': 'application/json',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': signature,
        ...(n > 0 ? { 'x-slack-retry-num': String(n) } : {}),
      };
      const signal = AbortSignal.timeout(3_000);
      const response = await fetch(eventsUrl(), { method: 'POST', headers, body, signal }).catch(() => null);
      await response?.arrayBuffer().catch(() => undefined);
      if (response?.ok) return;
    }
  };

  const methods: Record<string, (token: string, body: Record<string, string>) => object> = {
    'auth.test': (token) => {
      bots.add(token);
      const place = installed.get(token);
      return { user_id: userOf(token), bot_id: `B${userOf(token).slice(1)}`, ...(place ? { team_id: place } : {}) };
    },
    'conversations.list': (token, { cursor }) => ({
      channels: cursor
        ? []
        : exampleChannels.map((name) => ({
            id: name,
            name,
            is_member: name !== 'random',
            context_team_id: installed.get(token) ?? exampleTeam,
          })),
      response_metadata: { next_cursor: '' },
    }),
    'chat.postMessage': (token, { channel = '', text = '', thread_ts: thread, metadata }) => {
      const ts = nextTs();
      sent.push({ channel, thread, ts, metadata: metadata === undefined ? undefined : JSON.parse(metadata) });
      const channelId = thread ? `${channel}:${thread}` : channel;
      placeOf.set(ts, installed.get(token) ?? lastPlace.get(`${token} ${channel}`) ?? '');
      log.add({ id: ts, channelId, author: userOf(token), text, fromBot: true, createdAt: new Date() });
      return { channel, ts };
    },
    'conversations.history': (_token, { channel }) => ({
      messages: sent.filter((message) => message.channel === channel && !message.thread).reverse(),
    }),
    'conversations.replies': (_token, { channel, ts }) => ({
      messages: sent.filter((message) => message.channel === channel && message.thread === ts),
    }),
    'assistant.threads.setStatus': (_token, { channel_id: channel = '' }) => {
      typing.push(channel);
      return {};
    },
  };

  const app = Fastify({ forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.post('/api/:method', async (request, reply) => {
    const { method } = request.params as { method: string };
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    const run = methods[method];
    if (!run) return { ok: false, error: 'unknown_method' };
    if (token.startsWith('bad') || token === '' || revoked.has(token)) return { ok: false, error: 'invalid_auth' };
    const body = (request.body ?? {}) as Record<string, string>;
    const fault = faults.take(request.url);
    if (fault?.afterEffect) run(token, body);
    if (fault)
      return reply
        .code(fault.status)
        .headers(fault.retryAfterSeconds === null ? {} : { 'retry-after': fault.retryAfterSeconds ?? 1 })
        .send({ ok: false, error: fault.error ?? 'ratelimited' });
    return { ok: true, ...run(token, body) };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    apiBase: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/`,
    join: (token, place) => void installed.set(token, place),
    write({
      token,
      place,
      channelId = 'general',
      author,
      text,
      mention = false,
      threadId,
      asBot = false,
      isRaw = false,
      attachment = false,
    }) {
      const ts = nextTs();
      placeOf.set(ts, place);
      lastPlace.set(`${token} ${channelId}`, place);
      const written = mention ? `<@${userOf(token)}> ${text}` : text;
      const event = {
        channel: channelId,
        channel_type: 'channel',
        user: author,
        text: isRaw ? text : written.replace(/&/g, '&amp;').replace(/<(?!@)/g, '&lt;'),
        ...(attachment ? { subtype: 'file_share', files: [{ id: 'F1', mimetype: 'image/png' }] } : {}),
        ts,
        ...(threadId ? { thread_ts: threadId } : {}),
        ...(asBot ? { bot_id: 'B0', subtype: 'bot_message' } : {}),
      };
      for (const bot of bots) {
        if ((installed.get(bot) ?? place) !== place) continue;
        const types = mention && bot === token ? ['message', 'app_mention'] : ['message'];
        for (const type of types) {
          const body = JSON.stringify({
            type: 'event_callback',
            team_id: place,
            event_id: `Ev${randomUUID()}`,
            event_time: Math.floor(Date.now() / 1000),
            authorizations: [{ team_id: place, user_id: userOf(bot), is_bot: true }],
            event: { type, ...event },
          });
          posts.push(body);
          post(body);
        }
      }
      const simulated = { id: ts, channelId, author, text: written, fromBot: asBot, createdAt: new Date() };
      log.add(simulated);
      return simulated;
    },
    messages: ({ token, place, channelIds = [] }) =>
      log.messages.filter(({ id, channelId, author }) => {
        const [channel = ''] = channelId.split(':');
        const isInPlace = placeOf.get(id) === place || (placeOf.get(id) === '' && author === userOf(token));
        return isInPlace && (channelIds.length === 0 || channelIds.includes(channel));
      }),
    isConnected: ({ token }) => bots.has(token),
    fail: faults.add,
    async redeliver() {
      posts.slice().forEach(post);
      await Promise.all(underway);
    },
    revoke: (token) => void revoked.add(token),
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    typing,
    async stop() {
      await app.close();
    },
  };
}
