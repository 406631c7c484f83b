import { randomBytes, randomUUID } from 'node:crypto';
import { type DiscordSimulator, startDiscordSimulator } from '../../src/simulators/discord.ts';
import { type SlackSimulator, startSlackSimulator } from '../../src/simulators/slack.ts';
import { startTelegramSimulator, type TelegramSimulator } from '../../src/simulators/telegram.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

export type Kind = 'chat_server' | 'chat_messenger' | 'chat_workspace';

/** Starts simulated platforms, which outlive the services. */
async function startPlatforms(eventsUrl: () => string) {
  const signingSecret = randomBytes(16).toString('hex');
  const discord = await startDiscordSimulator({ heartbeatMs: 2_000 });
  const telegram = await startTelegramSimulator();
  const slack = await startSlackSimulator({ signingSecret, eventsUrl });
  return {
    discord,
    telegram,
    slack,
    signingSecret,
    env: {
      CHAT_SERVER_API_BASE: discord.apiBase,
      CHAT_MESSENGER_API_BASE: telegram.apiBase,
      CHAT_WORKSPACE_API_BASE: slack.apiBase,
      SLACK_SIGNING_SECRET: signingSecret,
    },
    stop: () => Promise.all([discord.stop(), telegram.stop(), slack.stop()]),
  };
}

export interface Chat {
  id: string;
  kind: Kind;
  token: string;
  place: string;
  channelId: string;
  agentId: string;
}

/** Starts a service with an account and simulated platforms. */
export async function startChats(env: Record<string, string> = {}) {
  let app: TestApp | null = null;
  const platforms = await startPlatforms(() => `${app?.baseUrl}/platforms/chat_workspace/events`);
  app = await startTestApp({ env: { ...platforms.env, ...env } });
  const ada = await app.signUp({ plan: 'creator' });
  return { app, ada, ...platforms, ...chatting(app, ada, platforms) };
}

interface Platforms {
  discord: DiscordSimulator;
  telegram: TelegramSimulator;
  slack: SlackSimulator;
}

function chatting(app: TestApp, owner: Account, { discord, telegram, slack }: Platforms) {
  const simulators = { chat_server: discord, chat_messenger: telegram, chat_workspace: slack };
  const get = async (id: string) => (await app.call('GET', `/v1/integrations/${id}`, { as: owner.token })).body;
  return {
    /** Connects a new bot and waits until the connection is up. */
    async connect(kind: Kind, options: { as?: Account; agent?: object; token?: string } = {}): Promise<Chat> {
      const as = (options.as ?? owner).token;
      const agent = await app.createAgent(as, { greeting_message: 'Hello.', ...options.agent });
      const token = options.token ?? `${Math.floor(Math.random() * 1e9)}:${randomUUID()}`;
      const place = kind === 'chat_messenger' ? '' : `G${randomBytes(4).toString('hex')}`;
      const channelId = kind === 'chat_messenger' ? '' : `C${randomBytes(4).toString('hex')}`;
      const body = {
        agent_id: agent.id,
        bot_token: token,
        ...(kind === 'chat_server' ? { guild_id: place } : {}),
        ...(kind === 'chat_workspace' ? { workspace_id: place } : {}),
        ...(kind === 'chat_messenger' ? {} : { channel_ids: [channelId] }),
      };
      if (kind === 'chat_server') discord.join(token, place);
      if (kind === 'chat_workspace') slack.join(token, place);
      const { id } = expectStatus(await app.call('POST', `/v1/integrations/${kind}`, { as, body }), 201).body;
      const isUp = async () =>
        (await app.db.query(`select 1 from integration_connections where integration_id = $1 and announced`, [id]))
          .rowCount === 1;
      await eventually(isUp, { what: `the connection of ${kind}` });
      return { id, kind, token, place, channelId, agentId: agent.id };
    },
    get,
    update: async (id: string, body: object) =>
      expectStatus(await app.call('PUT', `/v1/integrations/${id}`, { as: owner.token, body }), 200).body,
    /** A person writes, addressing the bot by default. */
    write: (chat: Chat, text: string, more: Record<string, unknown> = {}) =>
      simulators[chat.kind].write({
        token: chat.token,
        place: chat.place,
        ...(chat.channelId ? { channelId: chat.channelId } : {}),
        author: 'Grace',
        text,
        mention: chat.kind !== 'chat_messenger',
        ...more,
      }),
    /** Returns the messages of the bot, oldest first. */
    replies: (chat: Chat) =>
      simulators[chat.kind]
        .messages({ token: chat.token, place: chat.place, channelIds: [chat.channelId] })
        .filter(({ fromBot, author }) => fromBot && author !== 'robot'),
    /** Waits until every message is processed. */
    settled: (chat: Chat) =>
      eventually(
        async () => {
          if (chat.kind === 'chat_workspace') await slack.settled();
          const open = await app.db.query(
            `select 1 from platform_messages where integration_id = $1 and state in ('received', 'replying')`,
            [chat.id],
          );
          return open.rowCount === 0;
        },
        { what: 'an answer to everything' },
      ),
    events: async (type: string, id: string) =>
      (
        await app.db.query(`select data from outbox_events where type = $1 and data ->> 'id' = $2 order by seq`, [
          type,
          id,
        ])
      ).rows.map(({ data }) => data),
  };
}
