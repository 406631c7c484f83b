import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { UserActor } from '../../src/core/actor.ts';
import { accountChannel } from '../../src/realtime/channels/account-channel.ts';
import { followGeneration } from '../../src/conversations/generations/follow-generation.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { fileForm } from '../support/knowledge.ts';
import { type Frame, openSocket, subscribe } from '../support/socket.ts';

const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40) };

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: secrets });
  other = await startTestApp({ env: secrets, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await other?.close();
  await app?.close();
});

const textOf = (frames: readonly Frame[]): string =>
  frames
    .filter(({ type }) => type === 'reply.delta')
    .map(({ data }) => data?.content)
    .join('');

describe('the channel of an account', () => {
  test('sends its events as webhooks get them, and resumes after the last offset without a gap', async () => {
    const { token } = await app.signUp();
    const first = await openSocket(app.baseUrl, token);
    const subscribed = await subscribe(first, '1', 'account');
    expect(subscribed).toMatchObject({ op: 'subscribed', resumed: 'from_start' });
    const agent = await other.createAgent(token);
    const created = await first.take({ op: 'event', type: 'agent.created' });
    expect(created).toMatchObject({ id: '1', data: { id: agent.id, name: 'Ada' } });
    first.close();
    await first.closed;
    expectStatus(await app.call('PUT', `/v1/agents/${agent.id}`, { as: token, body: { name: 'Missed' } }), 200);
    const second = await openSocket(other.baseUrl, token);
    const resumed = await subscribe(second, '1', 'account', created.offset);
    expect(resumed).toMatchObject({ resumed: 'caught_up', offset: created.offset });
    expect(await second.take({ op: 'event' })).toMatchObject({ type: 'agent.updated', data: { name: 'Missed' } });
    second.close();
  });

  test('sends what happens after it was opened, however late it is read', async () => {
    const { token, id: userId } = await app.signUp();
    const actor: UserActor = {
      kind: 'user',
      userId,
      plan: 'free',
      scopes: ['webhooks:read'],
      sessionId: 'ses_x',
      apiKeyId: null,
      ip: null,
    };
    const left = new AbortController();
    const { events } = await accountChannel.open(other.app.newCtx(actor), '', { after: null, left: left.signal });
    const agent = await app.createAgent(token);
    expect((await events.next()).value).toMatchObject({ type: 'agent.created', data: { id: agent.id } });
    left.abort();
    await events.return();
  });

  test('resumes from the offset of an account without events', async () => {
    const { token } = await app.signUp();
    const first = await openSocket(app.baseUrl, token);
    const { offset } = await subscribe(first, '1', 'account');
    first.close();
    await app.createAgent(token);
    const second = await openSocket(app.baseUrl, token);
    expect(await subscribe(second, '1', 'account', offset)).toMatchObject({ resumed: 'caught_up' });
    expect(await second.take({ op: 'event' })).toMatchObject({ type: 'agent.created' });
    second.close();
  });

  test('reports a gap for an offset that it does not know, with one that resumes', async () => {
    const { token } = await app.signUp();
    await app.createAgent(token);
    const socket = await openSocket(app.baseUrl, token);
    const gap = await subscribe(socket, '1', 'account', 'evt_nonsense');
    expect(gap).toMatchObject({ op: 'subscribed', resumed: 'gap' });
    expect(await subscribe(socket, '2', 'account', gap.offset)).toMatchObject({ resumed: 'caught_up' });
    socket.close();
  });
});

describe('the channel of a conversation', () => {
  test('sends the same reply in order to sockets of two instances, then its message', async () => {
    const { token } = await app.signUp();
    const { id } = await app.createConversation(token);
    const here = await openSocket(app.baseUrl, token);
    const there = await openSocket(other.baseUrl, token);
    await subscribe(here, 'a', `conversation:${id}`);
    await subscribe(there, 'b', `conversation:${id}`);
    app.model.script({ when: 'Count', deltas: ['One', ' two', ' three'], deltaDelayMs: 30 });
    const sent = app.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content: 'Count' } });
    const reply = expectStatus(await sent, 201).body.assistant_message;
    for (const socket of [here, there]) {
      const done = await socket.take({ op: 'event', type: 'reply.done' });
      expect(done.data).toMatchObject({ message_id: reply.id, stopped: false });
      const stored = socket.frames.findLast(({ type }) => type === 'message.created');
      expect(stored).toMatchObject({ offset: done.offset, data: { message_id: reply.id, content: reply.content } });
      const isOfReply = ({ op, type }: Frame) => op === 'event' && type !== 'conversation.updated';
      const types = socket.frames.filter(isOfReply).map(({ type }) => type);
      const withoutRepeats = types.filter((type, index) => type !== types[index - 1]);
      expect(withoutRepeats).toEqual([
        'message.created',
        'reply.started',
        'reply.delta',
        'message.created',
        'reply.done',
      ]);
      expect(textOf(socket.frames)).toBe('One two three');
      socket.close();
    }
  });

  test('resumes in the middle of a reply on another instance', async () => {
    const { token } = await app.signUp();
    const { id } = await app.createConversation(token);
    const first = await openSocket(app.baseUrl, token);
    await subscribe(first, '1', `conversation:${id}`);
    const deltas = Array.from({ length: 12 }, (_, n) => `word${n} `);
    app.model.script({ when: 'Go', deltas, deltaDelayMs: 100 });
    const sent = app.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content: 'Go' } });
    const delta = await first.take({ op: 'event', type: 'reply.delta' });
    first.close();
    const second = await openSocket(other.baseUrl, token);
    expect(await subscribe(second, '1', `conversation:${id}`, delta.offset)).toMatchObject({
      resumed: 'caught_up',
      offset: delta.offset,
    });
    await second.take({ op: 'event', type: 'reply.done' });
    const { content } = expectStatus(await sent, 201).body.assistant_message;
    expect(String(delta.data?.content) + textOf(second.frames)).toBe(content);
    expect(second.frames.some(({ type }) => type === 'reply.started')).toBe(false);
    second.close();
  });

  test('is read once for all readers of a reply that another instance writes', async () => {
    const { token } = await app.signUp();
    const { id } = await app.createConversation(token);
    const deltas = Array.from({ length: 12 }, (_, n) => `word${n} `);
    app.model.script({ when: 'Go', deltas, deltaDelayMs: 60 });
    const sent = app.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content: 'Go' } });
    const ctx = other.app.newCtx({ kind: 'system' });
    const generation = await eventually(async () => {
      const { rows } = await app.db.query<{ id: string; userId: string }>(
        'select id, user_id as "userId" from generations where conversation_id = $1',
        [id],
      );
      return rows[0];
    });
    let [atOnce, mostAtOnce] = [0, 0];
    const pool = ctx.pool as unknown as { query(config: { name?: string }): Promise<object> };
    const query = pool.query.bind(pool);
    const spy = vi.spyOn(pool, 'query').mockImplementation(async (config) => {
      const isRead = config.name === 'generation_follow';
      mostAtOnce = Math.max(mostAtOnce, (atOnce += isRead ? 1 : 0));
      return query(config).finally(() => (atOnce -= isRead ? 1 : 0));
    });
    const read = async (from: number): Promise<string> => {
      let text = '';
      for await (const event of followGeneration(ctx, generation, { from }))
        if (event.type === 'delta') text += event.content;
      return text;
    };
    const texts = await Promise.all(Array.from({ length: 20 }, (_, n) => read(n)));
    spy.mockRestore();
    const { content } = expectStatus(await sent, 201).body.assistant_message;
    expect(texts).toEqual(Array.from({ length: 20 }, (_, n) => content.slice(n)));
    expect(mostAtOnce).toBe(1);
  });

  test('sends the whole message for the offset of a reply that is stored meanwhile', async () => {
    const { token } = await app.signUp();
    const { id } = await app.createConversation(token);
    const first = await openSocket(app.baseUrl, token);
    await subscribe(first, '1', `conversation:${id}`);
    // Slow enough for a piece to arrive before the reply is stored.
    app.model.script({ when: 'Hi', deltas: ['Hello ', 'there.'], deltaDelayMs: 1_000 });
    await app.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content: 'Hi' } });
    const delta = await first.take({ op: 'event', type: 'reply.delta' });
    const done = await first.take({ op: 'event', type: 'reply.done' });
    expect(await subscribe(first, '2', `conversation:${id}`, delta.offset)).toMatchObject({ resumed: 'caught_up' });
    expect(await first.take({ op: 'event', id: '2' })).toMatchObject({ type: 'message.created', offset: done.offset });
    expect(await subscribe(first, '3', `conversation:${id}`, '900')).toMatchObject({
      resumed: 'gap',
      offset: done.offset,
    });
    first.close();
  });

  test('sends what its owner changes, and ends with its deletion', async () => {
    const { token } = await app.signUp();
    const { id } = await app.createConversation(token);
    const socket = await openSocket(app.baseUrl, token);
    await subscribe(socket, '1', `conversation:${id}`);
    expectStatus(await other.call('PATCH', `/v1/conversations/${id}`, { as: token, body: { title: 'Primes' } }), 200);
    expect(await socket.take({ type: 'conversation.updated' })).toMatchObject({
      offset: null,
      data: { title: 'Primes' },
    });
    expectStatus(await other.call('DELETE', `/v1/conversations/${id}`, { as: token }), 200);
    await socket.take({ type: 'conversation.deleted' });
    expect(await socket.take({ op: 'ended' })).toMatchObject({ id: '1' });
    socket.close();
  });

  test('sends how a reply failed, also to a reader that lost its connection before, and once to one that knows', async () => {
    const { token } = await app.signUp();
    const { id } = await app.createConversation(token);
    const socket = await openSocket(app.baseUrl, token);
    await subscribe(socket, '1', `conversation:${id}`);
    app.model.script({
      when: 'Fail',
      deltas: ['Half a ', 'reply.'],
      deltaDelayMs: 300,
      fault: { kind: 'error', after: 1 },
    });
    await app.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content: 'Fail' } });
    const question = await socket.take({ id: '1', type: 'message.created' });
    const delta = await socket.take({ id: '1', type: 'reply.delta' });
    const failed = await socket.take({ id: '1', type: 'reply.failed' });
    expect(failed).toMatchObject({ data: { generation_id: delta.data?.generation_id, code: 'upstream_error' } });
    for (const [n, offset] of [delta.offset, question.offset, String(Number(question.offset) - 1)].entries()) {
      await subscribe(socket, `again ${n}`, `conversation:${id}`, offset);
      const again = await socket.take({ id: `again ${n}`, type: 'reply.failed' });
      expect([again.offset, again.data]).toEqual([failed.offset, failed.data]);
    }
    app.model.reset();
    await subscribe(socket, 'end', `conversation:${id}`, failed.offset);
    await app.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content: 'Go on' } });
    expect(await socket.take({ id: 'end', op: 'event' })).toMatchObject({ type: 'message.created' });
    socket.close();
  });

  test('sends the end of a reply that was stopped without a text while its reader was away', async () => {
    const { token } = await app.signUp();
    const { id } = await app.createConversation(token);
    const socket = await openSocket(app.baseUrl, token);
    await subscribe(socket, '1', `conversation:${id}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    app.model.script({ when: 'Slow', deltas: ['Late'], gate: promise });
    const sent = app.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content: 'Slow' } });
    const started = await socket.take({ id: '1', type: 'reply.started' });
    await app.call('POST', `/v1/conversations/${id}/messages/stop`, { as: token });
    const done = await socket.take({ id: '1', type: 'reply.done' });
    resolve();
    await sent;
    await subscribe(socket, '2', `conversation:${id}`, started.offset);
    const again = await socket.take({ id: '2', op: 'event' });
    expect(again).toMatchObject({ type: 'reply.done', offset: done.offset, data: { message_id: null, stopped: true } });
    socket.close();
  });
});

test('unknown channels and those of others are refused alike, and a key needs the scope', async () => {
  const { token } = await app.signUp();
  const stranger = await app.signUp();
  const conversation = await app.createConversation(stranger.token);
  const socket = await openSocket(app.baseUrl, token);
  const refusals = [];
  for (const channel of [
    'nothing',
    'conversation:',
    `conversation:${conversation.id}`,
    'document:doc_x',
    'image:1',
    'account:1',
  ])
    refusals.push(await subscribe(socket, channel, channel));
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ op: 'error', code: 'not_found', message: refusals[0]!.message });
  socket.close();
  const body = { name: 'k', scopes: ['agents:read'] };
  const { key } = expectStatus(await app.call('POST', '/v1/auth/api-keys', { as: token, body }), 201).body;
  const limited = await openSocket(app.baseUrl, key);
  expect(await subscribe(limited, '1', 'account')).toMatchObject({ op: 'error', code: 'insufficient_scope' });
  limited.close();
});

test('a document is followed to its final state', async () => {
  const { token } = await app.signUp();
  const agent = await app.createAgent(token);
  const form = fileForm('primes.md', '# Primes');
  const { body } = await app.call('POST', `/v1/knowledge/${agent.id}/documents`, { as: token, body: form });
  const socket = await openSocket(app.baseUrl, token);
  await subscribe(socket, '1', `document:${body.id}`);
  const last = await socket.take(({ type, data }) => type === 'updated' && data?.status !== 'processing');
  expect(last.data).toMatchObject({ id: body.id, filename: 'primes.md', status: 'ready' });
  expect(await socket.take({ op: 'ended' })).toEqual({ op: 'ended', id: '1' });
  socket.close();
});
