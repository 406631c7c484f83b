import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, type Answer, expectStatus, type SseEvent } from '../support/client.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const begin = async () => (await app.createConversation(ada.token)).id;
const send = (id: string, content: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content }, headers });
const stream = (id: string, content: string, signal?: AbortSignal) =>
  app.stream(`/v1/conversations/${id}/messages/stream`, {
    as: ada.token,
    body: { content },
    ...(signal ? { signal } : {}),
  });
const stored = async (id: string) =>
  (
    await app.db.query(`select role, content from messages where conversation_id = $1 and active order by position`, [
      id,
    ])
  ).rows;
const used = async () =>
  (await app.db.query(`select coalesce(sum(messages), 0)::int as n from usage_counters where user_id = $1`, [ada.id]))
    .rows[0].n;

/** Collects the events of a stream in `list` as they arrive. */
async function all(events: AsyncIterable<SseEvent>, list: SseEvent[] = []): Promise<SseEvent[]> {
  for await (const event of events) list.push(event);
  return list;
}
const textOf = (events: SseEvent[]) =>
  events
    .filter((e) => e.event === 'delta')
    .map((e) => e.data.content)
    .join('');

/** Reads until the first delta, then disconnects like a client whose network failed. */
async function dropAfterFirstDelta(id: string, content: string): Promise<void> {
  const network = new AbortController();
  try {
    for await (const event of stream(id, content, network.signal)) if (event.event === 'delta') break;
  } finally {
    network.abort();
  }
}

describe('POST …/messages', () => {
  test('returns both stored messages', async () => {
    const id = await begin();
    const answer = expectStatus(await send(id, '  What is a prime?\n'), 201);
    expect(answer.body.user_message).toMatchObject({
      role: 'user',
      content: '  What is a prime?\n',
      conversation_id: id,
    });
    expect(answer.body.assistant_message).toMatchObject({ role: 'assistant', conversation_id: id });
    expect(await stored(id)).toEqual([
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: '  What is a prime?\n' },
      { role: 'assistant', content: answer.body.assistant_message.content },
    ]);
  });

  test.each([
    [{ status: 429 }, 429, 'rate_limited'],
    [{ status: 500, times: 3 }, 502, 'upstream_error'],
    [{ status: 400, error: { code: 'context_length_exceeded' } }, 400, 'context_length_exceeded'],
    [{ fault: { kind: 'end', after: 2 } as const }, 502, 'upstream_error'],
    [{ fault: { kind: 'drop', after: 2 } as const }, 502, 'upstream_error'],
  ])(
    'returns the error of a model that fails with %j, charges nothing and accepts the message again',
    async (rule, status, code) => {
      const id = await begin();
      const before = await used();
      // Match the exact message, because the request for a title contains it too.
      app.model.script({ times: 3, ...rule, when: /^Tell me$/ });
      const failed = await send(id, 'Tell me');
      expect([failed.status, failed.body.error.code]).toEqual([status, code]);
      expect(failed.headers.get('retry-after')).toBe(status === 429 ? '10' : null);
      expect(await used()).toBe(before);
      // What was written before a fault in the reply stays in the conversation.
      const roles = 'fault' in rule ? ['assistant', 'user', 'assistant'] : ['assistant', 'user'];
      expect((await stored(id)).map((m) => m.role)).toEqual(roles);
      app.model.reset();
      expectStatus(await send(id, 'Tell me'), 201);
      expect((await stored(id)).map((m) => m.role)).toEqual(['assistant', 'user', 'assistant']);
      expect(await used()).toBe(before + 1);
    },
  );

  test.each([
    [{ content: '' }, 'content'],
    [{ content: '   ' }, 'content'],
    [{ content: 5 }, 'content'],
    [{}, 'content'],
    [{ content: 'x'.repeat(32_001) }, 'content'],
    [{ content: 'hi', role: 'assistant' }, 'role'],
    [{ content: 'hi', role: 'system' }, 'role'],
  ])('rejects an invalid body (%#) and names the field', async (body, field) => {
    const answer = await app.call('POST', `/v1/conversations/${await begin()}/messages`, { as: ada.token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_request');
    expect(answer.body.error.details[0].field).toBe(field);
  });
});

describe('POST …/messages/stream', () => {
  test('sends the stored reply in pieces, then done', async () => {
    const id = await begin();
    app.model.script({ deltas: ['Two ', 'and ', 'three\n\nevent: done\ndata: {}', '\u2028 end.'] });
    const events = await all(stream(id, 'Name primes'));
    expect(events.at(-1)?.event).toBe('done');
    const reply = (await stored(id)).at(-1);
    expect(textOf(events)).toBe('Two and three\n\nevent: done\ndata: {}\u2028 end.');
    expect(reply).toEqual({ role: 'assistant', content: textOf(events) });
    const done = events.at(-1)?.data;
    const { rows } = await app.db.query(`select id, content from messages where id = $1`, [done.message_id]);
    expect(rows).toEqual([{ id: done.message_id, content: textOf(events) }]);
    expect(events.every((event) => event.id !== '')).toBe(true);
  });

  test('fails with an HTTP error before the first piece and with an error event after it', async () => {
    const id = await begin();
    app.model.script({ status: 429, times: 3 });
    await expect(all(stream(id, 'first'))).rejects.toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limited' } },
    });
    app.model.reset();
    app.model.script({
      deltas: ['a', 'b', 'c'],
      deltaDelayMs: 30,
      fault: { kind: 'error', after: 2, error: { code: 'rate_limit_exceeded', type: 'rate_limit_error' } },
    });
    const events = await all(stream(id, 'first'));
    expect(events.map((event) => event.event).at(-1)).toBe('error');
    expect(events.at(-1)?.data.code).toBe('rate_limited');
    expect((await stored(id)).at(-1)).toEqual({ role: 'assistant', content: 'ab' });
  });

  test('completes the reply of a client that left, and replays it to the same message', async () => {
    const id = await begin();
    const before = await used();
    app.model.script({ deltas: ['One', ', two', ', three.'], deltaDelayMs: 60 });
    await dropAfterFirstDelta(id, 'Count');
    await eventually(async () => (await stored(id)).length === 3);
    const events = await all(stream(id, 'Count'));
    expect(textOf(events)).toBe('One, two, three.');
    expect(await stored(id)).toHaveLength(3);
    expect(await used()).toBe(before + 1);
  });

  test('joins a running reply from its first character when the same message is sent again', async () => {
    const id = await begin();
    const before = await used();
    app.model.script({ deltas: ['One', ', two', ', three.'], deltaDelayMs: 100 });
    await dropAfterFirstDelta(id, 'Count');
    const events = await all(stream(id, 'Count'));
    expect(textOf(events)).toBe('One, two, three.');
    expect(await stored(id)).toHaveLength(3);
    expect(await used()).toBe(before + 1);
  });

  test('treats the same message as a new one once its reply was received', async () => {
    const id = await begin();
    await all(stream(id, 'yes'));
    await eventually(
      async () =>
        (await app.db.query(`select 1 from generations where conversation_id = $1 and delivered_at is not null`, [id]))
          .rows[0],
    );
    await all(stream(id, 'yes'));
    expect((await stored(id)).map((m) => m.role)).toEqual(['assistant', 'user', 'assistant', 'user', 'assistant']);
  });

  test('stores one message and one reply for a hundred clients that send it at once', async () => {
    const id = await begin();
    const before = await used();
    // Long enough for all of them to arrive on a loaded machine: a client that arrives after the end sends a new message.
    app.model.script({ deltas: ['One', ', two', ', three.'], firstDeltaDelayMs: 5_000 });
    const readers = await Promise.all(Array.from({ length: 100 }, () => all(stream(id, 'Count'))));
    expect(new Set(readers.map(textOf))).toEqual(new Set(['One, two, three.']));
    expect(await stored(id)).toHaveLength(3);
    expect(await used()).toBe(before + 1);
    expect(
      app.model.requests.filter(
        (request) =>
          request.path === '/v1/chat/completions' &&
          request.body['stream'] === true &&
          JSON.stringify(request.body).includes('Count') &&
          request.deltasSent === 3,
      ).length,
    ).toBeLessThanOrEqual(2);
  });
});

describe('MAX_REPLY_CHARACTERS', () => {
  test('ends a longer reply, which is stored and marked as truncated', async () => {
    const short = await startTestApp({ env: { MAX_REPLY_CHARACTERS: '100' } });
    const bob = await short.signUp();
    const { id } = await short.createConversation(bob.token);
    short.model.script({ when: /^Talk$/, deltas: Array.from({ length: 50 }, () => 'ten chars '), deltaDelayMs: 20 });
    const events = await all(
      short.stream(`/v1/conversations/${id}/messages/stream`, { as: bob.token, body: { content: 'Talk' } }),
    );
    expect(textOf(events)).toBe('ten chars '.repeat(10));
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { truncated: true } });
    const { data } = (await short.call('GET', `/v1/conversations/${id}/messages`, { as: bob.token })).body;
    expect(data[0]).toMatchObject({ content: 'ten chars '.repeat(10), truncated: true });
    expect(data[1]).not.toHaveProperty('truncated');
    await eventually(() => short.model.requests.some(({ outcome }) => outcome === 'aborted'));
    await short.close();
  });
});

describe('a conversation', () => {
  test('accepts one message at a time', async () => {
    const id = await begin();
    app.model.script({ deltas: ['slow', ' reply'], firstDeltaDelayMs: 300 });
    const first = send(id, 'first');
    await eventually(async () => (await stored(id)).length === 2);
    const second = await send(id, 'second');
    expect([second.status, second.body.error.code]).toEqual([409, 'generation_in_progress']);
    expectStatus(await first, 201);
    expectStatus(await send(id, 'second'), 201);
  });

  test('keeps the text of a stopped reply and ends every stream with done', async () => {
    const id = await begin();
    app.model.script({ deltas: ['One', ', two', ', three.'], deltaDelayMs: 20, fault: { kind: 'hang', after: 2 } });
    const seen: SseEvent[] = [];
    const reader = all(stream(id, 'Count'), seen);
    const joined = all(stream(id, 'Count'));
    await eventually(() => textOf(seen) === 'One, two');
    const stopped = await app.call('POST', `/v1/conversations/${id}/messages/stop`, { as: ada.token });
    expect(stopped.status).toBe(200);
    expect(stopped.body.stopped).toBe(true);
    for (const events of [await reader, await joined]) {
      expect(textOf(events)).toBe('One, two');
      expect(events.at(-1)).toMatchObject({
        event: 'done',
        data: { stopped: true, message_id: stopped.body.message_id },
      });
    }
    expect((await stored(id)).at(-1)).toEqual({ role: 'assistant', content: 'One, two' });
    await eventually(() => app.model.requests.some((request) => request.outcome === 'aborted'));
    expect((await app.call('POST', `/v1/conversations/${id}/messages/stop`, { as: ada.token })).body).toEqual({
      stopped: false,
      message_id: null,
    });
  });

  test('ends the streams of its reply when it is deleted', async () => {
    const id = await begin();
    app.model.script({ deltas: ['One', ', two'], deltaDelayMs: 20, fault: { kind: 'hang', after: 1 } });
    const reader = all(stream(id, 'Count'));
    await eventually(() => app.model.requests.find((request) => request.deltasSent === 1));
    expectStatus(await app.call('DELETE', `/v1/conversations/${id}`, { as: ada.token }), 200);
    expect((await reader).at(-1)).toMatchObject({ event: 'error', data: { code: 'cancelled' } });
    expect((await app.call('GET', `/v1/conversations/${id}`, { as: ada.token })).status).toBe(404);
  });
});

describe('an Idempotency-Key', () => {
  test('names the message: replays for the same key, rejects another body, accepts a fresh key as a new message', async () => {
    const id = await begin();
    const first = expectStatus(await send(id, 'Count', { 'idempotency-key': `k1-${id}` }), 201);
    const again = expectStatus(await send(id, 'Count', { 'idempotency-key': `k1-${id}` }), 201);
    expect(again.body).toEqual(first.body);
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    const path = `/v1/conversations/${id}/messages/stream`;
    const options = { as: ada.token, body: { content: 'Count' }, headers: { 'idempotency-key': `k1-${id}` } };
    const streamed = await app.send('POST', path, options);
    expect(streamed.headers.get('idempotency-replayed')).toBe('true');
    await streamed.body?.cancel();
    const other = await send(id, 'Other', { 'idempotency-key': `k1-${id}` });
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_mismatch']);
    expectStatus(await send(id, 'Count', { 'idempotency-key': `k2-${id}` }), 201);
    expect((await stored(id)).map((m) => m.role)).toEqual(['assistant', 'user', 'assistant', 'user', 'assistant']);
  });

  test('retries a failed reply to the same stored message', async () => {
    const id = await begin();
    app.model.script({ status: 500, times: 3, when: 'Count' });
    const headers = { 'idempotency-key': `k3-${id}` };
    expect((await send(id, 'Count', headers)).status).toBe(502);
    app.model.reset();
    expectStatus(await send(id, 'Count', headers), 201);
    expect((await stored(id)).map((m) => m.role)).toEqual(['assistant', 'user', 'assistant']);
  });
});

describe('the daily quota', () => {
  test('admits exactly what the plan allows, however many messages arrive at once', async () => {
    const bob = await app.signUp();
    const day = new Date().toISOString().slice(0, 10);
    await app.db.query(`insert into usage_counters (user_id, day, messages) values ($1, $2, 48)`, [bob.id, day]);
    const conversations = [await app.createConversation(bob.token)];
    for (let i = 1; i < 12; i++) {
      const body = { agent_id: conversations[0]?.agent_id };
      conversations.push(expectStatus(await app.call('POST', '/v1/conversations', { as: bob.token, body }), 201).body);
    }
    const answers = await Promise.all(
      conversations.map(({ id }) =>
        app.call('POST', `/v1/conversations/${id}/messages`, { as: bob.token, body: { content: 'hi' } }),
      ),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, 201, ...Array.from({ length: 10 }, () => 429)]);
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused?.body.error.code).toBe('rate_limited');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
