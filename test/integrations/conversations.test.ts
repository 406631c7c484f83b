import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Kind, startChats } from './fixture.ts';

let chats: Awaited<ReturnType<typeof startChats>>;

beforeAll(async () => {
  chats = await startChats();
});
afterAll(async () => {
  await chats.app.close();
  await chats.stop();
});
beforeEach(() => chats.app.model.reset());

const kinds: Kind[] = ['chat_server', 'chat_messenger', 'chat_workspace'];

describe.each(kinds)('on %s', (kind) => {
  test('replies once to a person who addresses the bot, in a conversation of the owner', async () => {
    const chat = await chats.connect(kind);
    chats.app.model.script({ deltas: ['Two, three ', 'and five.'], when: 'primes' });
    chats.write(chat, 'Name some primes');
    const reply = await eventually(() => chats.replies(chat)[0]);
    expect(reply.text).toBe('Two, three and five.');
    await chats.settled(chat);
    expect(chats.replies(chat)).toHaveLength(1);
    const list = await chats.app.call('GET', `/v1/conversations?agent_id=${chat.agentId}`, { as: chats.ada.token });
    expect(list.body.total).toBe(1);
    const { body } = await chats.app.call('GET', `/v1/conversations/${list.body.data[0].id}`, { as: chats.ada.token });
    expect(body.messages.map((m: { content: string }) => m.content)).toEqual([
      'Hello.',
      'Name some primes',
      'Two, three and five.',
    ]);
    expect(await chats.get(chat.id)).toMatchObject({ message_count: 2, last_message_at: expect.any(String) });
  });

  test('each person has a separate conversation with its history', async () => {
    const chat = await chats.connect(kind);
    chats.write(chat, 'I am first', { author: 'Grace' });
    await chats.settled(chat);
    chats.write(chat, 'I am second', { author: 'Linus' });
    await eventually(() => chats.replies(chat).length === 2);
    chats.write(chat, 'And again', { author: 'Grace' });
    await eventually(() => chats.replies(chat).length === 3);
    await chats.settled(chat);
    const list = await chats.app.call('GET', `/v1/conversations?agent_id=${chat.agentId}`, { as: chats.ada.token });
    expect(list.body.data.map((c: { message_count: number }) => c.message_count).sort()).toEqual([3, 5]);
  });

  test('replies in order to simultaneous messages of one person', async () => {
    const chat = await chats.connect(kind);
    for (const n of [1, 2, 3]) chats.app.model.script({ deltas: [`answer ${n}`], when: `question ${n}` });
    for (const n of [1, 2, 3]) {
      chats.write(chat, `question ${n}`);
      // The platform's calls can arrive out of order.
      if (kind === 'chat_workspace') await chats.slack.settled();
    }
    await eventually(() => chats.replies(chat).length === 3);
    expect(chats.replies(chat).map(({ text }) => text)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  test('never replies to a bot, even one that addresses it', async () => {
    const chat = await chats.connect(kind);
    chats.write(chat, 'Hello, colleague', { author: 'robot', asBot: true });
    chats.write(chat, 'Hello');
    await eventually(() => chats.replies(chat).length === 1);
    await chats.settled(chat);
    const { rows } = await chats.app.db.query(`select person_id from platform_messages where integration_id = $1`, [
      chat.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('splits a long reply within the limit of the platform, without an open code fence', async () => {
    const chat = await chats.connect(kind);
    const code = Array.from({ length: 300 }, (_, i) => `const value${i} = ${i};`).join('\n');
    chats.app.model.script({ deltas: [`Here it is.\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThat is all.`], when: 'code' });
    chats.write(chat, 'Show me code');
    await eventually(() => chats.replies(chat).some(({ text }) => text.includes('That is all.')));
    const parts = chats.replies(chat).map(({ text }) => text);
    expect(parts.length).toBeGreaterThan(1);
    const limit = { chat_server: 2_000, chat_messenger: 4_096, chat_workspace: 3_000 }[kind];
    for (const part of parts) {
      expect(part.replace(/<[^>]*>/g, '').length).toBeLessThanOrEqual(limit);
      expect((part.match(/```/g) ?? []).length % 2).toBe(0);
      expect((part.match(/<pre>/g) ?? []).length).toBe((part.match(/<\/pre>/g) ?? []).length);
    }
    for (let i = 0; i < 300; i++) expect(parts.some((part) => part.includes(`value${i} = ${i};`))).toBe(true);
  });

  test('a reply that fails is retried, and then the person is notified', async () => {
    const chat = await chats.connect(kind);
    chats.app.model.script({ status: 400, when: 'impossible', times: 1, error: { code: 'context_length_exceeded' } });
    chats.write(chat, 'impossible');
    await eventually(() => chats.replies(chat).length === 1);
    expect(chats.replies(chat)[0]?.text).toMatch(/^Sorry/);
  });

  test('waits when the platform asks for it, and replies once', async () => {
    const chat = await chats.connect(kind);
    const { discord, telegram, slack } = chats;
    const simulator = { chat_server: discord, chat_messenger: telegram, chat_workspace: slack }[kind];
    const when = {
      chat_server: `/${chat.channelId}/messages`,
      chat_messenger: `${chat.token}/sendMessage`,
      chat_workspace: 'chat.postMessage',
    }[kind];
    simulator.fail({ when, status: 429, retryAfterSeconds: 1 });
    const startedMs = performance.now();
    chats.write(chat, 'Hello');
    await eventually(() => chats.replies(chat).length === 1);
    expect(performance.now() - startedMs).toBeGreaterThan(900);
    await chats.settled(chat);
    expect(chats.replies(chat)).toHaveLength(1);
  });

  test('posts one notice when the quota is exceeded, not one for every message', async () => {
    const bob = await chats.app.signUp();
    const chat = await chats.connect(kind, { as: bob });
    const day = new Date().toISOString().slice(0, 10);
    await chats.app.db.query(`insert into usage_counters (user_id, day, messages) values ($1, $2, 49)`, [bob.id, day]);
    for (const text of ['one', 'two', 'three', 'four']) {
      chats.write(chat, text);
      await chats.settled(chat);
    }
    await eventually(() => chats.replies(chat).length === 2);
    expect(chats.replies(chat)[1]?.text).toMatch(/today/);
  });
});

// Slack shows the indicator in threads only.
test.each(['chat_server', 'chat_messenger'] as const)(
  'on %s the bot is shown as typing while it writes a reply',
  async (kind) => {
    const chat = await chats.connect(kind);
    const shown = () => chats.discord.typing.length + chats.telegram.typing.length;
    const before = shown();
    chats.app.model.script({ deltas: ['Well, ', 'let me ', 'see.'], deltaDelayMs: 200, when: 'slowly' });
    chats.write(chat, 'slowly');
    await eventually(() => shown() > before);
    expect(chats.replies(chat)).toHaveLength(0);
    await eventually(() => chats.replies(chat).length === 1);
  },
);
