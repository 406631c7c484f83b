import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChatServer } from '../../src/providers/discord/chat-server.ts';
import { type DiscordSimulator, startDiscordSimulator } from '../../src/simulators/discord.ts';

let discord: DiscordSimulator;
beforeAll(async () => {
  discord = await startDiscordSimulator();
});
afterAll(() => discord.stop());

const bot = (place: string) => ({ token: randomUUID(), place, channelIds: ['general'] });
const texts = (of: ReturnType<typeof bot>) => discord.messages(of).map(({ text }) => text);

test('guilds that share a channel id do not see each other’s messages', async () => {
  const [one, two] = [bot('guild 1'), bot('guild 2')];
  const first = discord.write({ ...one, author: 'Grace', text: 'to one' });
  const second = discord.write({ ...two, author: 'Grace', text: 'to two' });
  const server = createChatServer({ apiBase: discord.apiBase });
  const reply = (of: typeof one, replyTo: string | undefined, text: string) =>
    server.send(of, {
      target: { channelId: 'general', ...(replyTo && { replyTo }) },
      text,
      key: text,
      maybeSent: false,
    });
  await reply(one, first.id, 'from one');
  await reply(two, second.id, 'from two');
  await reply(one, undefined, 'more from one');
  expect(texts(one)).toEqual(['to one', 'from one', 'more from one']);
  expect(texts(two)).toEqual(['to two', 'from two']);
});

test('an integration sees the messages of its channels only', () => {
  const one = bot('guild 3');
  discord.write({ ...one, channelId: 'other', author: 'Grace', text: 'elsewhere' });
  expect(texts(one)).toEqual([]);
});

test('a bot sees its own message in a channel that was not used before', async () => {
  const one = { ...bot('guild 4'), channelIds: ['new'] };
  const server = createChatServer({ apiBase: discord.apiBase });
  await server.send(one, { target: { channelId: 'new' }, text: 'a test', key: 'k', maybeSent: false });
  expect(texts(one)).toEqual(['a test']);
});
