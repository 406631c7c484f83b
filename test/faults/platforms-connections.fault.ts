import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxWaitingPerChat } from '../../src/integrations/replies/receive-message.ts';
import { type Kind, startChats } from '../integrations/fixture.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let chats: Awaited<ReturnType<typeof startChats>>;

beforeAll(async () => {
  chats = await startChats();
});
afterAll(async () => {
  await chats.app.close();
  await chats.stop();
});
beforeEach(() => chats.app.model.reset());

const answered = async (chat: Awaited<ReturnType<typeof chats.connect>>, count: number) => {
  await eventually(() => chats.replies(chat).length >= count, { what: `${count} replies` });
  await chats.settled(chat);
  expect(chats.replies(chat)).toHaveLength(count);
};

const holds = async (id: string) =>
  (
    await chats.app.db.query(`select 1 from integration_connections where integration_id = $1 and holder is not null`, [
      id,
    ])
  ).rowCount;

describe('a gateway connection', () => {
  test.each([[null], [4_000], [1_001]])(
    'that is cut with %j is resumed, and gets one reply to each message sent meanwhile',
    async (code) => {
      const chat = await chats.connect('chat_server');
      chats.write(chat, 'before');
      await answered(chat, 1);
      const { resumed } = chats.discord;
      chats.discord.drop(code, chat.token);
      chats.write(chat, 'meanwhile');
      await answered(chat, 2);
      if (code !== 1_001) expect(chats.discord.resumed).toBeGreaterThan(resumed);
    },
  );

  test('whose host to resume at is gone is resumed at the usual one', async () => {
    const chat = await chats.connect('chat_server');
    chats.write(chat, 'before');
    await answered(chat, 1);
    const { resumed } = chats.discord;
    // Held by a worker that died after the host had been taken out of service.
    await chats.app.db.query(
      `update integration_connections set holder = 'nobody', lease_expires_at = now(),
         session = session || '{"resumeUrl":"ws://127.0.0.1:1"}' where integration_id = $1`,
      [chat.id],
    );
    await eventually(() => chats.discord.resumed > resumed);
    chats.write(chat, 'after');
    await answered(chat, 2);
  });

  test('whose session is forgotten is opened again', async () => {
    const chat = await chats.connect('chat_server');
    const { identified } = chats.discord;
    chats.discord.forgetSessions();
    chats.discord.drop(4_000);
    await eventually(() => chats.discord.identified > identified);
    chats.write(chat, 'again');
    await answered(chat, 1);
  });

  test('outlives whatever comes over it', async () => {
    const chat = await chats.connect('chat_server');
    const malformed = [
      'no JSON',
      '[]',
      '{"op":0,"t":"MESSAGE_CREATE","s":99,"d":{}}',
      '{"op":0,"t":"MESSAGE_CREATE","s":99,"d":null}',
      `{"op":0,"t":"MESSAGE_CREATE","s":99,"d":{"id":"1","channel_id":"${chat.channelId}","guild_id":"${chat.place}","content":"x","author":{"id":"1"},"mentions":[null],"type":0}}`,
      '{"op":0,"t":"UNKNOWN","s":99,"d":{"x":1}}',
      '{"op":77}',
    ];
    malformed.forEach((text) => chats.discord.sendRaw(text));
    chats.write(chat, 'still here?');
    await answered(chat, 1);
  });
});

describe('a repeated delivery', () => {
  test.each(['chat_server', 'chat_messenger', 'chat_workspace'] as const)(
    'by %s gets no second reply',
    async (kind) => {
      const chat = await chats.connect(kind);
      chats.write(chat, 'once');
      await answered(chat, 1);
      if (kind === 'chat_server') chats.discord.redeliver();
      if (kind === 'chat_messenger') chats.telegram.redeliver(chat.token);
      if (kind === 'chat_workspace') await chats.slack.redeliver();
      chats.write(chat, 'and once more');
      await answered(chat, 2);
    },
  );

  test.each([
    ['chat_server', 500],
    ['chat_workspace', 500],
    ['chat_messenger', 0],
  ] as const)('is not posted twice when %s accepted a reply without acknowledging it', async (kind, status) => {
    const chat = await chats.connect(kind);
    const { discord, telegram, slack } = chats;
    const simulator = { chat_server: discord, chat_messenger: telegram, chat_workspace: slack }[kind];
    const when = {
      chat_server: `/${chat.channelId}/messages`,
      chat_messenger: `${chat.token}/sendMessage`,
      chat_workspace: 'chat.postMessage',
    }[kind];
    simulator.fail({ when, status, afterEffect: true });
    chats.write(chat, 'Hello');
    await answered(chat, 1);
  });
});

describe('a connection ends', () => {
  test('with the token, and the owner is notified once', async () => {
    const end = async (kind: Kind) => {
      const chat = await chats.connect(kind);
      const { discord, telegram, slack } = chats;
      const simulator = { chat_server: discord, chat_messenger: telegram, chat_workspace: slack }[kind];
      simulator.revoke(chat.token);
      if (kind === 'chat_server') discord.drop(4_000, chat.token);
      if (kind === 'chat_messenger') telegram.sendRaw(chat.token, {});
      if (kind === 'chat_workspace') chats.write(chat, 'Hello');
      const isOver = async () => (await chats.get(chat.id)).status === 'error';
      await eventually(isOver, { timeoutMs: 15_000, what: `${kind} in error` });
      expect(await chats.events('integration.error', chat.id)).toHaveLength(1);
    };
    await Promise.all((['chat_server', 'chat_messenger', 'chat_workspace'] as const).map(end));
  });

  test('within seconds when it is switched off, or its agent or account is deleted', async () => {
    const before = chats.discord.connections;
    const [off, agentless] = [await chats.connect('chat_server'), await chats.connect('chat_server')];
    const bob = await chats.app.signUp();
    await chats.connect('chat_server', { as: bob });
    expect(chats.discord.connections).toBe(before + 3);
    await chats.update(off.id, { active: false });
    expectStatus(await chats.app.call('DELETE', `/v1/agents/${agentless.agentId}`, { as: chats.ada.token }), 200);
    await chats.app.db.query(`update users set deletion_requested_at = now() where id = $1`, [bob.id]);
    await eventually(() => chats.discord.connections === before, {
      timeoutMs: 10_000,
      what: 'the end of the connections',
    });
    await eventually(async () => (await holds(off.id)) === 0);
    chats.write(off, 'Anybody there?');
    await chats.settled(off);
    expect(chats.replies(off)).toHaveLength(0);
  });

  test('never for a change of channels, which applies to the next message', async () => {
    const chat = await chats.connect('chat_server');
    const { identified, resumed } = chats.discord;
    await chats.update(chat.id, { channel_ids: ['elsewhere'] });
    chats.write(chat, 'here', { channelId: chat.channelId });
    chats.write(chat, 'there', { channelId: 'elsewhere' });
    await answered({ ...chat, channelId: 'elsewhere' }, 1);
    expect(chats.replies(chat)).toEqual([]);
    expect([chats.discord.identified, chats.discord.resumed]).toEqual([identified, resumed]);
  });
});

describe('a channel', () => {
  test('with a flood gets replies up to the limit, and is notified once', async () => {
    const chat = await chats.connect('chat_server');
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    chats.app.model.script({ deltas: ['ok'], gate, when: 'flood', times: 1_000 });
    await chats.update(chat.id, { auto_respond: true });
    for (let n = 0; n < 500; n++) chats.write(chat, `flood ${n}`, { author: `person${n % 20}`, mention: false });
    const countsByState = async (): Promise<Record<string, number>> => {
      const { rows } = await chats.app.db.query(
        `select state, count(*)::int as n from platform_messages where integration_id = $1 and event_id not like 'flood%' group by 1`,
        [chat.id],
      );
      return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
    };
    const arrived = async () => Object.values(await countsByState()).reduce((sum, n) => sum + n, 0);
    await eventually(async () => (await countsByState())['dropped'], { timeoutMs: 60_000, what: 'more than fits' });
    open();
    await eventually(async () => (await arrived()) === 500, { timeoutMs: 60_000, what: 'the flood' });
    await eventually(() => chats.settled(chat).then(() => true), { timeoutMs: 40_000 });
    const notices = chats.replies(chat).filter(({ text }) => text.includes('keep up'));
    expect(notices).toHaveLength(1);
    const { answered = 0, dropped = 0 } = await countsByState();
    expect(answered).toBeGreaterThanOrEqual(maxWaitingPerChat);
    expect(answered + dropped).toBe(500);
    expect(chats.replies(chat)).toHaveLength(answered + 1);
  });

  test('with two bots of the service does not make them reply to each other', async () => {
    const one = await chats.connect('chat_server');
    const two = await chats.connect('chat_server');
    chats.discord.join(two.token, one.place);
    await chats.app.db.query(`update integrations set place = $2, channel_ids = $3 where id = $1`, [
      two.id,
      one.place,
      [one.channelId],
    ]);
    await chats.update(one.id, { auto_respond: true });
    await chats.update(two.id, { auto_respond: true });
    await eventually(async () => (await holds(two.id)) === 1);
    const other = { ...two, place: one.place, channelId: one.channelId };
    chats.write(one, 'Who is there?', { mention: false });
    await eventually(() => chats.replies(one).length >= 1);
    await chats.settled(one);
    await chats.settled(other);
    expect(chats.replies(one).length).toBeLessThanOrEqual(2);
  });

  test('replies in the thread of the question', async () => {
    const server = await chats.connect('chat_server');
    chats.discord.openThread(server.channelId, `${server.channelId}-thread`);
    chats.write(server, 'in the thread', { channelId: `${server.channelId}-thread` });
    const reply = await eventually(() => chats.replies(server)[0]);
    expect(reply.channelId).toBe(`${server.channelId}-thread`);
    const workspace = await chats.connect('chat_workspace');
    chats.write(workspace, 'in the thread', { threadId: '1700000000.000100' });
    const posted = await eventually(() => chats.replies(workspace)[0]);
    expect(posted.channelId).toBe(`${workspace.channelId}:1700000000.000100`);
  });
});

test('rejects a call that chat_workspace did not sign', async () => {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
  const sign = (at: number, secret = chats.signingSecret) => ({
    'content-type': 'application/json',
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`,
  });
  const post = (headers: Record<string, string>) =>
    chats.app.call('POST', '/platforms/chat_workspace/events', { body, headers });
  const now = Math.floor(Date.now() / 1000);
  const accepted = await post(sign(now));
  expect([accepted.status, accepted.body]).toEqual([200, { challenge: 'abc' }]);
  const { 'x-slack-signature': _signature, ...unsigned } = sign(now);
  for (const headers of [
    sign(now - 301),
    sign(now, 'another secret altogether'),
    unsigned,
    { ...sign(now), 'x-slack-signature': '' },
  ]) {
    const refused = await post(headers);
    expect([refused.status, refused.body.error.code]).toEqual([401, 'unauthenticated']);
  }
});
