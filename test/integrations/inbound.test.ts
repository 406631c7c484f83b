import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Chat, type Kind, startChats } from './fixture.ts';

let chats: Awaited<ReturnType<typeof startChats>>;

beforeAll(async () => {
  chats = await startChats();
});
afterAll(async () => {
  await chats.app.close();
  await chats.stop();
});

/** The questions that the agent received. */
const questions = async (chat: Chat): Promise<string[]> =>
  (
    await chats.app.db.query(
      `select m.content from messages m join conversations c on c.id = m.conversation_id
       where c.agent_id = $1 and m.role = 'user' order by m.created_at`,
      [chat.agentId],
    )
  ).rows.map(({ content }) => content);

test('a mention of the bot through its own role on Discord is answered', async () => {
  const chat = await chats.connect('chat_server');
  chats.write(chat, 'Are you there?', { asRole: true });
  await eventually(() => chats.replies(chat).length === 1);
  expect(await questions(chat)).toEqual(['Are you there?']);
});

test('the agent reads names and addresses instead of the markup of Slack', async () => {
  const chat = await chats.connect('chat_workspace');
  await chats.update(chat.id, { auto_respond: true });
  const text =
    'Ask <@U42|ada> or <@U43> in <#C9|general> about <https://a.example/x|the page> &amp; <https://b.example>';
  chats.write(chat, text, { isRaw: true, mention: false });
  await eventually(() => chats.replies(chat).length === 1);
  expect(await questions(chat)).toEqual([
    'Ask @ada or @U43 in #general about the page (https://a.example/x) & https://b.example',
  ]);
});

describe('a command on Telegram', () => {
  test.each([
    ['/start', 'Good to see you, friend.'],
    ['/help', 'Write me a message and I answer it. I can read only text.'],
  ])('%s is answered without the model', async (command, answer) => {
    const chat = await chats.connect('chat_messenger', {
      agent: { greeting_message: 'Good to see **you**, friend.' },
    });
    chats.write(chat, command);
    const reply = await eventually(() => chats.replies(chat)[0]);
    expect(reply.text.replace(/<[^>]*>/g, '')).toBe(answer);
    await chats.settled(chat);
    expect(await questions(chat)).toEqual([]);
  });
});

test.each<Kind>(['chat_server', 'chat_messenger', 'chat_workspace'])(
  'on %s a voice message or picture without text is answered with what the bot can read',
  async (kind) => {
    const chat = await chats.connect(kind);
    chats.write(chat, '', { attachment: true });
    const reply = await eventually(() => chats.replies(chat)[0]);
    expect(reply.text).toMatch(/only text/);
    await chats.settled(chat);
    expect(await questions(chat)).toEqual([]);
  },
);
