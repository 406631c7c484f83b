import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterEach(() => app.model.reset());
afterAll(() => app.close());

const begin = async (agent: object): Promise<string> => (await app.createConversation(ada.token, agent)).id;
const say = async (id: string, content: string) =>
  expectStatus(await app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content } }), 201);
/** Oldest first. */
const messages = async (id: string): Promise<{ role: string; content: string }[]> =>
  (await app.call('GET', `/v1/conversations/${id}/messages`, { as: ada.token })).body.data
    .map(({ role, content }: { role: string; content: string }) => ({ role, content }))
    .toReversed();
const titleOf = async (id: string): Promise<string | null> =>
  (await app.call('GET', `/v1/conversations/${id}`, { as: ada.token })).body.title;
const messagesSent = async (): Promise<number> =>
  (await app.call('GET', '/v1/billing/usage', { as: ada.token })).body.usage.messages_sent;
const asksFor = (what: RegExp) => (body: object) => what.test(JSON.stringify(body));

describe('a new conversation', () => {
  test('starts with the greeting of its agent', async () => {
    const id = await begin({ greeting_message: 'Welcome to the harbour.' });
    expect(await messages(id)).toEqual([{ role: 'assistant', content: 'Welcome to the harbour.' }]);
  });

  test.each([null, '', '   '])(
    'gets a generated greeting, free of charge, when that of the agent is %j',
    async (none) => {
      const before = await messagesSent();
      app.model.script({ when: asksFor(/Write a greeting/), deltas: ['Ahoy, ', 'stranger!'] });
      const id = await begin({ greeting_message: none });
      expect(await messages(id)).toEqual([]);
      await eventually(async () => (await messages(id)).length > 0);
      expect(await messages(id)).toEqual([{ role: 'assistant', content: 'Ahoy, stranger!' }]);
      expect(await messagesSent()).toBe(before);
    },
  );

  test('gets no greeting once its user has written', async () => {
    app.model.script({ when: asksFor(/Write a greeting/), deltas: ['Too late.'], firstDeltaDelayMs: 300 });
    app.model.script({ when: 'Anybody here?', deltas: ['Yes.'] });
    const id = await begin({ greeting_message: null });
    await say(id, 'Anybody here?');
    const open = `select 1 from tasks where kind = 'conversation.greeting' and payload->>'conversationId' = $1`;
    await eventually(async () => (await app.db.query(open, [id])).rows.length === 0);
    expect(await messages(id)).toEqual([
      { role: 'user', content: 'Anybody here?' },
      { role: 'assistant', content: 'Yes.' },
    ]);
  });
});

describe('a generated greeting', () => {
  const askedFor = () => app.model.requests.filter(({ body }) => asksFor(/Write a greeting/)(body)).length;
  const open = async (agentId: string, versionId?: string): Promise<string> => {
    const body = { agent_id: agentId, ...(versionId && { version_id: versionId }) };
    return expectStatus(await app.call('POST', '/v1/conversations', { as: ada.token, body }), 201).body.id;
  };

  test('is generated once for all conversations with the agent, and again after its instructions change', async () => {
    app.model.script({ when: asksFor(/Write a greeting/), deltas: ['Ahoy!'] });
    const agent = await app.createAgent(ada.token, { greeting_message: null });
    const first = await Promise.all(Array.from({ length: 10 }, () => open(agent.id)));
    for (const id of first) await eventually(async () => (await messages(id))[0]?.content === 'Ahoy!');
    expect(await messages(await open(agent.id))).toEqual([{ role: 'assistant', content: 'Ahoy!' }]);
    expect(askedFor()).toBe(1);

    app.model.script({ when: asksFor(/Write a greeting/), deltas: ['Good day.'] });
    const body = { instructions: 'Be formal.' };
    expectStatus(await app.call('PUT', `/v1/agents/${agent.id}`, { as: ada.token, body }), 200);
    const later = await open(agent.id);
    await eventually(async () => (await messages(later))[0]?.content === 'Good day.');
    expect(askedFor()).toBe(2);
  });

  test('is written by the version of the conversation, once for each version', async () => {
    app.model.script({ when: asksFor(/pirate.*Write a greeting/), deltas: ['Arr!'] });
    app.model.script({ when: asksFor(/dentist.*Write a greeting/), deltas: ['Open wide.'] });
    const agent = await app.createAgent(ada.token, { greeting_message: null, instructions: 'You are a pirate.' });
    const versions = `/v1/studio/agents/${agent.id}/versions`;
    const body = { instructions: 'You are a dentist.' };
    const draft = expectStatus(await app.call('POST', versions, { as: ada.token, body }), 201).body.id;
    const [ofLive, ofDraft] = [await open(agent.id), await open(agent.id, draft)];
    await expect.poll(() => messages(ofLive)).toEqual([{ role: 'assistant', content: 'Arr!' }]);
    await expect.poll(() => messages(ofDraft)).toEqual([{ role: 'assistant', content: 'Open wide.' }]);

    expect(await messages(await open(agent.id))).toEqual([{ role: 'assistant', content: 'Arr!' }]);
    expectStatus(await app.call('POST', `${versions}/${draft}/publish`, { as: ada.token }), 200);
    expect(await messages(await open(agent.id))).toEqual([{ role: 'assistant', content: 'Open wide.' }]);
    expect(askedFor()).toBe(2);
  });

  test('is a fixed sentence once the account has caused 20 on a day', async () => {
    await app.db.query(
      `insert into usage_counters (user_id, day, messages, greetings) values ($1, (now() at time zone 'utc')::date, 0, 20)
       on conflict (user_id, day) do update set greetings = 20`,
      [ada.id],
    );
    const agent = await app.createAgent(ada.token, { greeting_message: null, name: 'Grace' });
    const id = await open(agent.id);
    await eventually(async () => (await messages(id)).length > 0);
    expect(await messages(id)).toEqual([{ role: 'assistant', content: 'Hello, I am Grace. How can I help you?' }]);
    expect(askedFor()).toBe(0);
  });
});

describe('a title', () => {
  test.each([
    [['<think>Okay, the user wants a title', '</think>\n\nKnots'], 'Knots'],
    [['<think>Okay, the user wants a title that'], 'Which knot holds a hammock?'],
    [['{"title": "Knots"}'], 'Knots'],
    [["I'm sorry, I can't do that."], 'Which knot holds a hammock?'],
  ])('is cleaned of what models add, and else the question: %j', async (deltas, title) => {
    app.model.script({ when: asksFor(/Write a title/), deltas });
    const id = await begin({});
    await say(id, 'Which knot holds a hammock?');
    expect(await eventually(() => titleOf(id))).toBe(title);
  });

  test('is written after the first exchange: one line of at most 80 characters without quotation marks', async () => {
    app.model.script({ when: asksFor(/Write a title/), deltas: [`"Knots\nfor `, `${'beginners '.repeat(12)}."`] });
    const id = await begin({});
    expect(await titleOf(id)).toBeNull();
    await say(id, 'How do I tie a bowline?');
    const title = await eventually(() => titleOf(id));
    expect(title).toMatch(/^Knots for beginners beginners/);
    expect([...title].length).toBeLessThanOrEqual(80);
  });

  test('is written after the first exchange that works, whatever failed before it', async () => {
    app.model.script({ when: /^Broken$/, status: 400 });
    app.model.script({ when: asksFor(/Write a title/), deltas: ['Second try'] });
    const id = await begin({});
    const failed = await app.call('POST', `/v1/conversations/${id}/messages`, {
      as: ada.token,
      body: { content: 'Broken' },
    });
    expect(failed.status).toBe(502);
    await say(id, 'Another question');
    expect(await eventually(() => titleOf(id))).toBe('Second try');
  });

  test('of the user is kept, even when one is being generated', async () => {
    app.model.script({ when: asksFor(/Write a title/), deltas: ['Of the model'], firstDeltaDelayMs: 500 });
    const id = await begin({});
    await say(id, 'How do I splice a rope?');
    await eventually(() => app.model.requests.some(({ body }) => asksFor(/Write a title/)(body)));
    expectStatus(await app.call('PATCH', `/v1/conversations/${id}`, { as: ada.token, body: { title: 'Ropes' } }), 200);
    const open = `select 1 from tasks where kind = 'conversation.title' and payload->>'conversationId' = $1`;
    await eventually(async () => (await app.db.query(open, [id])).rows.length === 0);
    expect(await titleOf(id)).toBe('Ropes');
  });

  test('is optional: the conversation continues when the model fails to write it', async () => {
    app.model.script({ when: asksFor(/Write a title/), status: 400, times: 20 });
    const id = await begin({});
    await say(id, 'How do I whip a line?');
    await eventually(() => app.model.requests.some(({ body }) => asksFor(/Write a title/)(body)));
    await say(id, 'And how do I coil it?');
    expect(await messages(id)).toHaveLength(5);
  });
});
