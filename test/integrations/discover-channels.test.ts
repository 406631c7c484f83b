import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChats } from './fixture.ts';

let chats: Awaited<ReturnType<typeof startChats>>;

beforeAll(async () => {
  chats = await startChats();
});
afterAll(async () => {
  await chats.app.close();
  await chats.stop();
});

const discover = (platform: string, botToken: string) =>
  chats.app.call('POST', '/v1/integrations/discover', {
    as: chats.ada.token,
    body: { platform, bot_token: botToken },
  });

test('lists the servers of a bot with their text channels', async () => {
  chats.discord.join('discord-bot', 'G7');
  chats.discord.write({ token: 'discord-bot', place: 'G7', channelId: 'news', author: 'kim', text: 'hi' });
  const answer = await discover('chat_server', 'discord-bot');
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  expect(answer.body).toEqual({
    platform: 'chat_server',
    bot_name: 'agent',
    places: [
      {
        id: 'G7',
        name: 'G7',
        channels: [
          { id: 'general', name: 'general', is_member: true },
          { id: 'help', name: 'help', is_member: true },
          { id: 'news', name: 'news', is_member: true },
        ],
      },
    ],
    is_complete: true,
  });
});

test('lists the channels of a workspace, those of the bot first', async () => {
  chats.slack.join('slack-bot', 'T7');
  const { places } = (await discover('chat_workspace', 'slack-bot')).body;
  expect(places).toHaveLength(1);
  expect(places[0].id).toBe('T7');
  expect(places[0].channels).toEqual([
    { id: 'general', name: 'general', is_member: true },
    { id: 'help', name: 'help', is_member: true },
    { id: 'random', name: 'random', is_member: false },
  ]);
});

test('names the bot of a messenger, which has no places', async () => {
  const { bot_name: name, places } = (await discover('chat_messenger', '1:telegram-bot')).body;
  expect([typeof name, places]).toEqual(['string', []]);
});

test.each(['chat_server', 'chat_messenger', 'chat_workspace'])('rejects a token that %s refuses', async (platform) => {
  const answer = await discover(platform, 'bad-token');
  expect([answer.status, answer.body.error.details[0].field]).toEqual([400, 'bot_token']);
  expect(JSON.stringify(answer.body)).not.toContain('bad-token');
});

test('returns the wait that a platform requests', async () => {
  chats.slack.fail({ when: 'auth.test', status: 429, retryAfterSeconds: 7 });
  const answer = await discover('chat_workspace', 'slack-bot');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
});

test('does not store the token', async () => {
  await discover('chat_server', 'a-token-to-look-for');
  const { rows } = await chats.app.db.query<{ found: string }>(
    `select t.table_name as found from information_schema.tables t
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and query_to_xml(format('select 1 from %I x where x::text like %L limit 1', t.table_name, '%a-token-to-look-for%'), true, false, '')::text
         like '%<row%'`,
  );
  expect(rows).toEqual([]);
});

test('calls a platform at most 60 times an hour per account', async () => {
  const other = await chats.app.signUp();
  const ask = () =>
    chats.app.call('POST', '/v1/integrations/discover', {
      as: other.token,
      body: { platform: 'chat_messenger', bot_token: '1:t' },
    });
  const statuses = [];
  for (let n = 0; n < 61; n++) statuses.push((await ask()).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.at(-1)).toBe(429);
});
