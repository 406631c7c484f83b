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
  test('begins with the greeting of its agent', async () => {
    const id = await begin({ greeting_message: 'Welcome to the harbour.' });
    expect(await messages(id)).toEqual([{ role: 'assistant', content: 'Welcome to the harbour.' }]);
  });

  test('is greeted by the model when the agent has no greeting, at no cost', async () => {
    const before = await messagesSent();
    app.model.script({ when: asksFor(/Write a greeting/), deltas: ['Ahoy, ', 'stranger!'] });
    const id = await begin({ greeting_message: null });
    expect(await messages(id)).toEqual([]);
    await eventually(async () => (await messages(id)).length > 0);
    expect(await messages(id)).toEqual([{ role: 'assistant', content: 'Ahoy, stranger!' }]);
    expect(await messagesSent()).toBe(before);
  });

  test('is not greeted once its user has written', async () => {
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

describe('a title', () => {
  test('is written after the first exchange: one line of at most 80 characters without quotation marks', async () => {
    app.model.script({ when: asksFor(/Write a title/), deltas: [`"Knots\nfor `, `${'beginners '.repeat(12)}."`] });
    const id = await begin({});
    expect(await titleOf(id)).toBeNull();
    await say(id, 'How do I tie a bowline?');
    const title = await eventually(() => titleOf(id));
    expect(title).toMatch(/^Knots for beginners beginners/);
    expect([...title].length).toBeLessThanOrEqual(80);
  });

  test('of the user stays, even when one is being written', async () => {
    app.model.script({ when: asksFor(/Write a title/), deltas: ['Of the model'], firstDeltaDelayMs: 500 });
    const id = await begin({});
    await say(id, 'How do I splice a rope?');
    await eventually(() => app.model.requests.some(({ body }) => asksFor(/Write a title/)(body)));
    expectStatus(await app.call('PATCH', `/v1/conversations/${id}`, { as: ada.token, body: { title: 'Ropes' } }), 200);
    const open = `select 1 from tasks where kind = 'conversation.title' and payload->>'conversationId' = $1`;
    await eventually(async () => (await app.db.query(open, [id])).rows.length === 0);
    expect(await titleOf(id)).toBe('Ropes');
  });

  test('that the model fails to write is missed by nobody', async () => {
    app.model.script({ when: asksFor(/Write a title/), status: 400, times: 20 });
    const id = await begin({});
    await say(id, 'How do I whip a line?');
    await eventually(() => app.model.requests.some(({ body }) => asksFor(/Write a title/)(body)));
    await say(id, 'And how do I coil it?');
    expect(await messages(id)).toHaveLength(5);
  });
});
