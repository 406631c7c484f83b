import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus, readEvents, type SseEvent } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const call = (method: string, id: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  app.call(method, `/v1/conversations/${id}${path}`, { as: ada.token, body, ...(headers ? { headers } : {}) });
const reply = (text: string, when?: string) => app.model.script({ deltas: [text], ...(when ? { when } : {}) });
const shown = async (id: string): Promise<string[]> =>
  expectStatus(await call('GET', id, ''), 200).body.messages.map((m: { content: string }) => m.content);

/** Creates a conversation of two exchanges, q1 a1 q2 a2, with a title so that none is generated. */
async function twoExchanges() {
  const agent = await app.createAgent(ada.token, { greeting_message: 'Hello.' });
  const made = await app.call('POST', '/v1/conversations', {
    as: ada.token,
    body: { agent_id: agent.id, title: 'Branches' },
  });
  const id: string = expectStatus(made, 201).body.id;
  reply('a1');
  const first = expectStatus(await call('POST', id, '/messages', { content: 'q1' }), 201).body;
  reply('a2');
  const second = expectStatus(await call('POST', id, '/messages', { content: 'q2' }), 201).body;
  return {
    id,
    q1: first.user_message.id,
    a1: first.assistant_message.id,
    q2: second.user_message.id,
    a2: second.assistant_message.id,
  };
}

describe('regenerate', () => {
  test('replaces the reply and what followed it, which stay as a branch', async () => {
    const { id, a1, q1 } = await twoExchanges();
    reply('b1');
    const answer = expectStatus(await call('POST', id, `/messages/${a1}/regenerate`), 201);
    expect(answer.body).toMatchObject({ user_message: { id: q1 }, assistant_message: { content: 'b1' } });
    expect(await shown(id)).toEqual(['Hello.', 'q1', 'b1']);
    expectStatus(await call('POST', id, `/messages/${a1}/activate`), 200);
    expect(await shown(id)).toEqual(['Hello.', 'q1', 'a1', 'q2', 'a2']);
    expect(expectStatus(await call('GET', id, ''), 200).body.message_count).toBe(6);
  });

  test('gives the model the conversation up to the question, without other branches', async () => {
    const { id, a1 } = await twoExchanges();
    app.model.reset();
    reply('b1');
    expectStatus(await call('POST', id, `/messages/${a1}/regenerate`), 201);
    reply('b2');
    expectStatus(await call('POST', id, '/messages', { content: 'q3' }), 201);
    const [first, second] = app.model.requests.map(
      (request) => request.body['messages'] as { role: string; content: string }[],
    );
    expect(first?.slice(1).map((turn) => turn.content)).toEqual(['Hello.', 'q1']);
    expect(second?.slice(1).map((turn) => turn.content)).toEqual(['Hello.', 'q1', 'b1', 'q3']);
  });

  test('lets search find the new reply and not the old one', async () => {
    const { id, a1 } = await twoExchanges();
    reply('kumquat');
    expectStatus(await call('POST', id, `/messages/${a1}/regenerate`), 201);
    const found = async (q: string) =>
      (await app.call('GET', `/v1/conversations/search?q=${q}`, { as: ada.token })).body.data
        .filter((hit: { conversation: { id: string } }) => hit.conversation.id === id)
        .map((hit: { message: { content: string } }) => hit.message.content);
    expect(await found('kumquat')).toEqual(['kumquat']);
    expect(await found('a1')).toEqual([]);
    expect(await found('branches')).toEqual(['kumquat']);
  });

  test('changes and charges nothing when the model fails', async () => {
    const { id, a2 } = await twoExchanges();
    const used = async () =>
      (await app.db.query(`select sum(messages)::int as n from usage_counters where user_id = $1`, [ada.id])).rows[0].n;
    const before = await used();
    app.model.script({ status: 500, times: 3 });
    expect((await call('POST', id, `/messages/${a2}/regenerate`)).status).toBe(502);
    expect(await shown(id)).toEqual(['Hello.', 'q1', 'a1', 'q2', 'a2']);
    expect(await used()).toBe(before);
  });

  test('accepts only a reply on the active branch of the conversation', async () => {
    const { id, q1, a1 } = await twoExchanges();
    const other = await twoExchanges();
    expect((await call('POST', id, `/messages/${q1}/regenerate`)).status).toBe(400);
    expect((await call('POST', id, `/messages/${other.a1}/regenerate`)).status).toBe(404);
    const { rows } = await app.db.query(
      `select id from messages where conversation_id = $1 order by position limit 1`,
      [id],
    );
    expect((await call('POST', id, `/messages/${rows[0].id}/regenerate`)).status).toBe(400);
    reply('b1');
    expectStatus(await call('POST', id, `/messages/${a1}/regenerate`), 201);
    const hidden = await call('POST', id, `/messages/${a1}/regenerate`);
    expect([hidden.status, hidden.body.error.code]).toEqual([409, 'conflict']);
  });

  test('writes one reply for two requests with one key', async () => {
    const { id, a2 } = await twoExchanges();
    reply('b2');
    const headers = { 'idempotency-key': `regenerate-${id}` };
    const first = expectStatus(await call('POST', id, `/messages/${a2}/regenerate`, undefined, headers), 201);
    const again = expectStatus(await call('POST', id, `/messages/${a2}/regenerate`, undefined, headers), 201);
    expect(again.body).toEqual(first.body);
  });

  test('retries a failed reply under its key', async () => {
    const { id, a2, q2 } = await twoExchanges();
    for (const [method, path, body] of [
      ['POST', `/messages/${a2}/regenerate`, undefined],
      ['PUT', `/messages/${q2}`, { content: 'q2, better' }],
    ] as const) {
      const headers = { 'idempotency-key': `${method} ${id}`.replaceAll(' ', '-') };
      app.model.reset();
      app.model.script({ status: 500, times: 3 });
      expect((await call(method, id, path, body, headers)).status).toBe(502);
      app.model.reset();
      reply('b2');
      expect((await call(method, id, path, body, headers)).status).toBe(method === 'PUT' ? 200 : 201);
    }
    expect((await shown(id)).slice(-2)).toEqual(['q2, better', 'b2']);
  });
});

describe('edit', () => {
  test('hides the replaced text from search, and shows it again with its branch', async () => {
    const { id, q2 } = await twoExchanges();
    const found = async (q: string): Promise<string[]> => {
      const { data, total } = expectStatus(
        await app.call('GET', `/v1/conversations/search?q=${q}`, { as: ada.token }),
        200,
      ).body;
      expect(total).toBe(data.length);
      return data.map(({ message }: { message: { content: string } }) => message.content);
    };
    reply('ocelots sleep');
    expectStatus(await call('PUT', id, `/messages/${q2}`, { content: 'walrus' }), 200);
    reply('puffins fly');
    const walrus = (await call('GET', id, '')).body.messages.at(-2).id;
    expectStatus(await call('PUT', id, `/messages/${walrus}`, { content: 'narwhal' }), 200);
    expect([await found('walrus'), await found('ocelots')]).toEqual([[], []]);
    expect([await found('narwhal'), await found('puffins')]).toEqual([['narwhal'], ['puffins fly']]);
    expectStatus(await call('POST', id, `/messages/${walrus}/activate`), 200);
    expect([await found('walrus'), await found('ocelots')]).toEqual([['walrus'], ['ocelots sleep']]);
    expect([await found('narwhal'), await found('puffins')]).toEqual([[], []]);
    expect(await found('Branches')).toEqual(expect.arrayContaining(['ocelots sleep']));
  });

  test('replaces the message, which stays as a branch', async () => {
    const { id, q2 } = await twoExchanges();
    reply('c2');
    const answer = expectStatus(await call('PUT', id, `/messages/${q2}`, { content: 'q2 again' }), 200);
    expect(answer.body).toMatchObject({ user_message: { content: 'q2 again' }, assistant_message: { content: 'c2' } });
    expect(await shown(id)).toEqual(['Hello.', 'q1', 'a1', 'q2 again', 'c2']);
    const query = `query($id: ID!) { conversation(id: $id) { messages { content branchIds } } }`;
    const { body } = await app.graphql(query, { as: ada.token, variables: { id } });
    const edited = body.data.conversation.messages.find((m: { content: string }) => m.content === 'q2 again');
    expect(edited.branchIds).toEqual([q2, answer.body.user_message.id]);
    expectStatus(await call('POST', id, `/messages/${q2}/activate`), 200);
    expect(await shown(id)).toEqual(['Hello.', 'q1', 'a1', 'q2', 'a2']);
  });

  test('writes one reply when an edit is repeated after a failure', async () => {
    const { id, q2 } = await twoExchanges();
    app.model.script({ status: 500, times: 3 });
    expect((await call('PUT', id, `/messages/${q2}`, { content: 'again' })).status).toBe(502);
    app.model.reset();
    reply('c2');
    expectStatus(await call('PUT', id, `/messages/${q2}`, { content: 'again' }), 200);
    expect(await shown(id)).toEqual(['Hello.', 'q1', 'a1', 'again', 'c2']);
  });

  test('accepts only messages of the user, and only with content', async () => {
    const { id, a1, q1 } = await twoExchanges();
    expect((await call('PUT', id, `/messages/${a1}`, { content: 'x' })).status).toBe(400);
    expect((await call('PUT', id, `/messages/${q1}`, { content: ' ' })).body.error.details[0].field).toBe('content');
    expect((await call('PUT', id, '/messages/msg_none', { content: 'x' })).status).toBe(404);
  });
});

describe('feedback', () => {
  test('is stored for a reply and replaces earlier feedback', async () => {
    const { id, a1, q1 } = await twoExchanges();
    expectStatus(await call('POST', id, `/messages/${a1}/feedback`, { rating: 'up' }), 200);
    const answer = expectStatus(
      await call('POST', id, `/messages/${a1}/feedback`, { rating: 'down', comment: 'Wrong.' }),
      200,
    );
    expect(answer.body).toEqual({ message_id: a1, rating: 'down', comment: 'Wrong.', created_at: expect.any(String) });
    const { body } = await app.graphql(
      `query($id: ID!) { conversation(id: $id) { messages { id feedback { rating comment } } } }`,
      { as: ada.token, variables: { id } },
    );
    expect(body.data.conversation.messages.find((m: { id: string }) => m.id === a1).feedback).toEqual({
      rating: 'DOWN',
      comment: 'Wrong.',
    });
    expect((await call('POST', id, `/messages/${q1}/feedback`, { rating: 'up' })).status).toBe(400);
    expect((await call('POST', id, `/messages/${a1}/feedback`, { rating: 'meh' })).body.error.details[0].field).toBe(
      'rating',
    );
  });
});

describe('an export', () => {
  test('contains the conversation as Markdown or JSON', async () => {
    const { id, a2 } = await twoExchanges();
    const markdown = expectStatus(await call('GET', id, '/export'), 200);
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.headers.get('content-disposition')).toBe(`attachment; filename="${id}.md"`);
    expect(markdown.body).toMatch(/^# Branches\n[\s\S]*## You, [\s\S]*\n\nq1\n[\s\S]*## Agent, [\s\S]*\n\na2\n$/);
    const json = expectStatus(await call('GET', id, '/export?format=json'), 200);
    expect(json.body).toMatchObject({ id, title: 'Branches' });
    expect(json.body.messages.at(-1)).toMatchObject({ id: a2, role: 'assistant', content: 'a2' });
    expect((await call('GET', id, '/export?format=pdf')).status).toBe(400);
    const stranger = await app.signUp();
    expect((await app.call('GET', `/v1/conversations/${id}/export`, { as: stranger.token })).status).toBe(404);
  });
});

describe('a resumed stream', () => {
  const resume = async (id: string, generation: string, lastEventId?: string): Promise<SseEvent[]> => {
    const response = await app.send('GET', `/v1/conversations/${id}/generations/${generation}/stream`, {
      as: ada.token,
      ...(lastEventId && { headers: { 'last-event-id': lastEventId } }),
    });
    const events: SseEvent[] = [];
    if (response.status === 204) return events;
    for await (const event of readEvents(response)) events.push(event);
    return events;
  };
  const textOf = (events: SseEvent[]) =>
    events
      .filter((e) => e.event === 'delta')
      .map((e) => e.data.content)
      .join('');

  test('continues after any event without a gap or a repeat, while the reply is written and afterwards', async () => {
    const { id } = await app.createConversation(ada.token);
    const pieces = ['One', ', two 👩‍🚀', ', three', ', four.'];
    app.model.script({ deltas: pieces, deltaDelayMs: 40 });
    const whole: SseEvent[] = [];
    const running: Promise<string>[] = [];
    for await (const event of app.stream(`/v1/conversations/${id}/messages/stream`, {
      as: ada.token,
      body: { content: 'Count' },
    })) {
      whole.push(event);
      const seen = textOf(whole);
      const generation = event.id.split(':')[0] ?? '';
      running.push(resume(id, generation, event.id).then((rest) => seen + textOf(rest)));
    }
    const text = pieces.join('');
    expect(await Promise.all(running)).toEqual(whole.map(() => text));
    const generation = whole[0]?.id.split(':')[0] ?? '';
    for (const event of whole) {
      const seen = textOf(whole.slice(0, whole.indexOf(event) + 1));
      const rest = await resume(id, generation, event.id);
      expect(seen + textOf(rest)).toBe(text);
      expect(rest.at(-1)?.event).toBe(event.event === 'done' ? undefined : 'done');
    }
    expect(textOf(await resume(id, generation))).toBe(text);
  });
});

describe('a message', () => {
  test('says which model wrote it or, without a reply, why it has none', async () => {
    const { id } = await twoExchanges();
    app.model.script({ status: 400, when: 'q3' });
    expect((await call('POST', id, '/messages', { content: 'q3' })).status).toBe(502);
    reply('a4');
    expectStatus(await call('POST', id, '/messages', { content: 'q4' }), 201);
    const { body } = await app.graphql(
      `query($id: ID!) { conversation(id: $id) { messages { content generation { model error { code message } } } } }`,
      { as: ada.token, variables: { id } },
    );
    const written = { model: 'DEFAULT', error: null };
    const failed = { code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/\S/) };
    expect(body.data.conversation.messages.slice(-5)).toEqual([
      { content: 'q2', generation: null },
      { content: 'a2', generation: written },
      { content: 'q3', generation: { model: 'DEFAULT', error: failed } },
      { content: 'q4', generation: null },
      { content: 'a4', generation: written },
    ]);
  });
});

describe('a long conversation', () => {
  test('is summarized except for its newest turns, which are always sent unchanged', async () => {
    const { id } = await app.createConversation(ada.token);
    await app.db.query(
      `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       select 'msg_' || gen_random_uuid(), $1, $2, 1 + n, case n % 2 when 1 then 'user' else 'assistant' end, 'turn ' || n, now()
       from generate_series(1, 100) n`,
      [id, ada.id],
    );
    await app.db.query(`update conversations set last_position = 101, title = 'Long' where id = $1`, [id]);
    const isSummary = (body: object) => JSON.stringify(body).includes('Summarise the conversation');
    app.model.script({ when: isSummary, deltas: ['They counted turns.'], times: 5 });
    expectStatus(await call('POST', id, '/messages', { content: 'Go on' }), 201);
    const summary = await eventually(
      async () =>
        (
          await app.db.query(
            `select content, through_position from conversation_summaries where conversation_id = $1`,
            [id],
          )
        ).rows[0],
    );
    expect(summary.content).toBe('They counted turns.');
    app.model.reset();
    expectStatus(await call('POST', id, '/messages', { content: 'And on' }), 201);
    const sent =
      app.model.requests
        .map((request) => JSON.stringify(request.body['messages']))
        .find((text) => text.includes('And on')) ?? '';
    expect(sent).toContain(JSON.stringify(summary.content).slice(1, -1));
    expect(sent).toContain('"turn 100"');
    expect(sent).toContain('"turn 70"');
    expect(sent).not.toContain('"turn 5"');
  });
});
