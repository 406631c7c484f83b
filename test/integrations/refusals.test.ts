import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
beforeEach(() => chats.app.model.reset());

/** Makes the platform refuse the next replies in a chat, in the way of each platform. */
function refuse(chat: Chat, times: number): void {
  if (chat.kind === 'chat_server') chats.discord.fail({ when: `/${chat.channelId}/messages`, status: 403, times });
  if (chat.kind === 'chat_messenger') chats.telegram.fail({ when: `${chat.token}/sendMessage`, status: 403, times });
  if (chat.kind === 'chat_workspace')
    chats.slack.fail({ when: 'chat.postMessage', status: 200, error: 'not_in_channel', times });
}

/** Writes a message and waits until it is processed. */
async function say(chat: Chat, text: string): Promise<void> {
  const ended = async () =>
    (
      await chats.app.db.query(
        `select 1 from platform_messages where integration_id = $1 and state not in ('received', 'replying')`,
        [chat.id],
      )
    ).rows.length;
  const before = await ended();
  chats.write(chat, text);
  await eventually(async () => (await ended()) > before, { what: 'the end of a message' });
}

const charged = async (userId: string): Promise<number> =>
  (
    await chats.app.db.query(`select coalesce(sum(messages), 0)::int as n from usage_counters where user_id = $1`, [
      userId,
    ])
  ).rows[0].n;
const generated = async (chat: Chat): Promise<number> =>
  (
    await chats.app.db.query(
      `select count(*)::int as n from generations g join conversations c on c.id = g.conversation_id
    where c.agent_id = $1`,
      [chat.agentId],
    )
  ).rows[0].n;

describe.each<Kind>(['chat_server', 'chat_messenger', 'chat_workspace'])('on %s, when replies are refused', (kind) => {
  test('the owner is notified, nothing is charged or generated, and the integration recovers', async () => {
    const owner = await chats.app.signUp({ plan: 'creator' });
    const chat = await chats.connect(kind, { as: owner });
    refuse(chat, 2);
    for (const text of ['one', 'two']) {
      await say(chat, text);
    }
    const read = async () => (await chats.app.call('GET', `/v1/integrations/${chat.id}`, { as: owner.token })).body;
    expect((await read()).status).toBe('error');
    const [event] = await chats.events('integration.error', chat.id);
    expect(event.error).toEqual({
      code: 'reply_refused',
      message: expect.stringContaining('Check that the bot is in'),
    });
    expect(await charged(owner.id)).toBe(0);
    expect(await generated(chat)).toBe(2);

    await say(chat, 'three');
    expect(await generated(chat)).toBe(2);
    expect(chats.replies(chat)).toHaveLength(0);

    const tested = await chats.app.call('POST', `/v1/integrations/${chat.id}/test`, { as: owner.token });
    expect(tested.body).toMatchObject({ status: 'active', test_result: { success: true } });
    expect((await read()).status).toBe('active');
    chats.write(chat, 'four');
    await eventually(() => chats.replies(chat).length === 2);
    expect(await charged(owner.id)).toBe(1);
    expect(await chats.events('integration.connected', chat.id)).toHaveLength(2);
  });
});

test('one message is answered after each pause, and its success ends the error', async () => {
  const chat = await chats.connect('chat_server');
  refuse(chat, 2);
  for (const text of ['one', 'two']) {
    await say(chat, text);
  }
  await chats.app.db.query(`update integration_refusals set retry_at = now() where integration_id = $1`, [chat.id]);
  chats.write(chat, 'again');
  await eventually(() => chats.replies(chat).length === 1);
  await chats.settled(chat);
  expect((await chats.get(chat.id)).status).toBe('active');
});

test('one refused message does not stop a channel', async () => {
  const chat = await chats.connect('chat_server');
  refuse(chat, 1);
  for (const text of ['one', 'two', 'three']) {
    await say(chat, text);
  }
  expect(chats.replies(chat)).toHaveLength(2);
  expect((await chats.get(chat.id)).status).toBe('active');
});

test('a platform that asks to wait without a time is called at a bounded pace', async () => {
  const chat = await chats.connect('chat_server');
  const before = chats.discord.failed;
  chats.discord.fail({ when: `/${chat.channelId}/messages`, status: 429, retryAfterSeconds: null, times: 3 });
  const startedMs = performance.now();
  chats.write(chat, 'Hello');
  await eventually(() => chats.replies(chat).length === 1, { timeoutMs: 30_000 });
  expect(performance.now() - startedMs).toBeGreaterThan(500 + 1_000 + 2_000 - 100);
  expect(chats.discord.failed - before).toBe(3);
});
