import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, readEvents } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { knowledgePlace, settled, upload } from '../support/knowledge.ts';

let app: TestApp;
let ada: Account;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  app.model.reset();
  ada = await app.signUp();
});
afterAll(() => app.close());

const agent = { name: 'Ada', instructions: 'You are Ada.' };
const hello = [{ role: 'USER', content: 'Hello.' }];
const document = `
  subscription ($agent: CreateAgentInput!, $messages: [PreviewMessageInput!]!, $agentId: ID) {
    previewStream(agent: $agent, messages: $messages, agentId: $agentId) {
      __typename
      ... on PreviewDelta { content end }
      ... on PreviewDone { truncated citations { filename } }
      ... on PreviewError { code message }
    }
  }`;
interface Event {
  __typename: string;
  content?: string;
  end?: number;
  code?: string;
  citations?: { filename: string }[];
}
const open = (as: string, variables: object = {}, signal?: AbortSignal) =>
  app.subscribe({ query: document, variables: { agent, messages: hello, ...variables } }, { as, signal });

async function preview(as: string, variables: object = {}): Promise<Event[]> {
  const events: Event[] = [];
  for await (const { event, data } of readEvents(await open(as, variables))) {
    if (event !== 'next') continue;
    if (data.errors) return [{ __typename: 'Refused', code: data.errors[0].extensions.code }];
    events.push(data.data.previewStream);
  }
  return events;
}
const textOf = (events: Event[]) => events.map(({ content = '' }) => content).join('');
const sent = async (as: string): Promise<number> =>
  (await app.call('GET', '/v1/billing/usage', { as })).body.usage.messages_sent;

describe('previewStream', () => {
  test('streams what an unsaved agent replies, charges one message and stores nothing', async () => {
    app.model.script({ deltas: ['Good', ' day', '.'] });
    const messages = [
      { role: 'ASSISTANT', content: 'Hi!' },
      { role: 'USER', content: 'Who are you?' },
      { role: 'ASSISTANT', content: 'Ada.' },
      ...hello,
    ];
    const events = await preview(ada.token, { messages });
    expect(textOf(events)).toBe('Good day.');
    expect(events.at(-2)).toMatchObject({ end: 9 });
    expect(events.at(-1)).toEqual({ __typename: 'PreviewDone', truncated: false, citations: [] });
    const asked = app.model.requests.at(-1)?.body as { messages: { content: string }[] } | undefined;
    const turns = asked?.messages.map(({ content }) => content);
    expect(turns).toEqual(['You are Ada.', 'Hi!', 'Who are you?', 'Ada.', 'Hello.']);
    expect(await sent(ada.token)).toBe(1);
    const { rows } = await app.db.query(
      `select (select count(*) from agents where owner_id = $1) + (select count(*) from messages where user_id = $1)
        + (select count(*) from generations where user_id = $1) as stored`,
      [ada.id],
    );
    expect(Number(rows[0].stored)).toBe(0);
  });

  test('uses the documents of an agent of the caller, and of no one else', async () => {
    const place = await knowledgePlace(app);
    const { body } = await upload(app, place, 'refunds.txt', 'Refunds are paid within five working days.');
    await settled(app, place, body.id);
    const question = { messages: [{ role: 'USER', content: 'When are refunds paid?' }], agentId: place.agentId };
    const events = await preview(place.token, question);
    expect(events.at(-1)?.citations).toEqual([{ filename: 'refunds.txt' }]);
    expect(await preview(ada.token, question)).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect(await sent(ada.token)).toBe(0);
  });

  test('returns the charge when the model fails, and when the reader leaves before the first piece', async () => {
    app.model.script({ status: 500, times: 3 });
    expect(await preview(ada.token)).toMatchObject([{ __typename: 'PreviewError', code: 'upstream_error' }]);
    expect(await sent(ada.token)).toBe(0);

    app.model.reset();
    app.model.script({ deltas: [], fault: { kind: 'hang', after: 0 } });
    const leaving = new AbortController();
    await open(ada.token, {}, leaving.signal);
    expect(await sent(ada.token)).toBe(1);
    leaving.abort();
    await eventually(async () => (await sent(ada.token)) === 0);
  });

  test('counts against the day like any message', async () => {
    await app.db.query(`insert into usage_counters (user_id, day, messages) values ($1, current_date, 50)`, [ada.id]);
    expect(await preview(ada.token)).toMatchObject([{ code: 'RATE_LIMITED' }]);
  });

  test('writes three at a time for an account', async () => {
    app.model.script({ deltas: ['One'], fault: { kind: 'hang', after: 1 }, times: Infinity });
    const leaving = new AbortController();
    await Promise.all([1, 2, 3].map(() => open(ada.token, {}, leaving.signal)));
    expect(await preview(ada.token)).toMatchObject([{ code: 'RATE_LIMITED' }]);
    expect(await sent(ada.token)).toBe(3);
    leaving.abort();
    app.model.reset();
    await eventually(async () => (await preview(ada.token)).at(-1)?.__typename === 'PreviewDone');
  });

  test.each([
    ['the agent', { agent: { ...agent, name: '' } }, 'agent.name'],
    ['the order of messages', { messages: [{ role: 'ASSISTANT', content: 'Hi.' }] }, 'messages'],
    ['an empty message', { messages: [{ role: 'USER', content: ' ' }] }, 'messages[0].content'],
  ])('rejects %s, naming the field', async (_what, variables, field) => {
    for await (const { event, data } of readEvents(await open(ada.token, variables))) {
      if (event !== 'next') continue;
      expect(data.errors[0].extensions).toMatchObject({ code: 'INVALID_REQUEST', details: [{ field }] });
    }
    expect.assertions(1);
  });
});
