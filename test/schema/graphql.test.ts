import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validationRules } from '../../schema/limits.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, readEvents } from '../support/client.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp();
});
afterAll(() => app.close());

const ask = (query: string, as: string | undefined = ada.token, variables: object = {}) =>
  app.graphql(query, { ...(as ? { as } : {}), variables });
const codes = (answer: { body: { errors?: { extensions: { code: string } }[] } }) =>
  answer.body.errors?.map((error) => error.extensions.code);

describe('GraphQL', () => {
  test('runs the operations of REST with the same credentials and rules', async () => {
    const made = await ask(
      `mutation { createAgent(input: { name: "Ada", instructions: "Teach.", category: TUTOR }) { id category model creatorId } }`,
    );
    expect(made.body.data.createAgent).toMatchObject({ category: 'TUTOR', model: 'DEFAULT', creatorId: ada.id });
    const { id } = made.body.data.createAgent;
    expect((await app.call('GET', `/v1/agents/${id}`, { as: ada.token })).body).toMatchObject({
      id,
      category: 'tutor',
      model: 'default',
    });
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: ada.token,
      body: { name: 'r', scopes: ['agents:read'] },
    });
    const asKey = key.body.key as string;
    expect((await ask(`{ agent(id: "${id}") { name } }`, asKey)).body.data.agent.name).toBe('Ada');
    expect(codes(await ask(`mutation { deleteAgent(id: "${id}") { deleted } }`, asKey))).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
    const stranger = await app.signUp();
    expect(codes(await ask(`{ agent(id: "${id}") { name } }`, stranger.token))).toEqual(['NOT_FOUND']);
  });

  test('names the field and the range of a whole number that is out of range', async () => {
    const query = 'mutation ($input: RotateApiKeyInput!) { rotateApiKey(id: "key_1", input: $input) { key } }';
    const { body } = await ask(query, ada.token, { input: { overlapSeconds: 3_000_000_000 } });
    expect(body.errors[0].message).toMatch(
      /input\.overlapSeconds.*must be a whole number from -2,147,483,648 to 2,147,483,647/,
    );
  });

  test('names the field of such a number in the document too', async () => {
    const { body } = await ask('mutation { createRoom(input: { name: "x", agentHops: 99999999999 }) { id } }');
    expect(body.errors[0].message).toBe('agentHops: must be a whole number from -2,147,483,648 to 2,147,483,647');
  });

  test('returns only public data to anonymous callers', async () => {
    expect(
      (await app.call('POST', '/graphql', { body: { query: '{ models { data { id } } }' } })).body.data.models.data,
    ).not.toEqual([]);
    expect(codes(await app.call('POST', '/graphql', { body: { query: '{ me { id } }' } }))).toEqual([
      'UNAUTHENTICATED',
    ]);
    expect((await app.call('POST', '/graphql', { as: 'nonsense', body: { query: '{ me { id } }' } })).status).toBe(401);
  });

  test('names the invalid fields', async () => {
    const answer = await ask(`mutation { createAgent(input: { name: "", instructions: "x" }) { id } }`);
    expect(answer.body.errors[0]).toMatchObject({
      extensions: { code: 'INVALID_REQUEST', details: [{ field: 'name', code: 'required' }] },
    });
  });

  test('reads nested lists with one statement each', async () => {
    for (let i = 0; i < 3; i++) await app.createConversation(ada.token).catch(() => undefined);
    const answer = await ask(`{ conversations { data { id agent { name } messages { content role } } } }`);
    for (const conversation of answer.body.data.conversations.data) {
      expect(conversation).toMatchObject({
        agent: { name: 'Ada' },
        messages: [{ content: 'Hello.', role: 'ASSISTANT' }],
      });
    }
  });

  test.each([
    ['with more than 30 aliases', `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: me { id }`).join(' ')} }`],
    ['with more than 2,000 tokens', `{ me { ${'id '.repeat(2_001)} } }`],
    ['with more than 20 directives', `{ me { id ${'@include(if: true) '.repeat(30)} } }`],
    ['that is circular', `query { ...a } fragment a on Query { ...b } fragment b on Query { ...a }`],
    ['that is not GraphQL', `{`],
  ])('rejects a document %s before it runs', async (_, query) => {
    const answer = await ask(query);
    expect(answer.body.errors).not.toEqual([]);
    expect(answer.body.data).toBeUndefined();
  });

  test('rejects batches, mutations by GET and bodies that are not JSON', async () => {
    const batch = await app.call('POST', '/graphql', { as: ada.token, body: [{ query: '{ me { id } }' }] });
    expect(batch.status).toBe(400);
    const mutation = encodeURIComponent('mutation { logout { message } }');
    const byGet = await app.call('GET', `/graphql?query=${mutation}`, {
      as: ada.token,
      headers: { 'apollo-require-preflight': '1' },
    });
    expect([byGet.status, codes(byGet)]).toEqual([405, ['METHOD_NOT_ALLOWED']]);
    const query = await app.call('GET', `/graphql?query=${encodeURIComponent('{ me { id } }')}`, { as: ada.token });
    expect([query.status, query.body.data.me.id]).toEqual([200, ada.id]);
    const plain = await app.call('POST', '/graphql', {
      as: ada.token,
      body: '{"query":"{ me { id } }"}',
      headers: { 'content-type': 'text/plain' },
    });
    expect([plain.status, plain.body.error.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('returns the code of the status when it cannot send a response that the client accepts', async () => {
    const headers = { accept: 'text/html' };
    const answer = await app.call('POST', '/graphql', { as: ada.token, body: { query: '{ me { id } }' }, headers });
    const { errors } = JSON.parse(JSON.stringify(answer.body)) as { errors: { extensions: { code: string } }[] };
    expect([answer.status, errors[0]?.extensions.code]).toEqual([406, 'NOT_ACCEPTABLE']);
  });

  test('returns the error envelope of REST to a credential that is refused', async () => {
    const answer = await ask('{ me { id } }', 'nonsense');
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthenticated']);
  });

  test('does not suggest fields', async () => {
    const answer = await ask('{ mee { id } }');
    expect(codes(answer)).toEqual(['INVALID_REQUEST']);
    expect(JSON.stringify(answer.body)).not.toContain('Did you mean');
  });

  test('hides its schema when introspection is off', async () => {
    const closed = await startTestApp({ databaseUrl: app.databaseUrl, env: { GRAPHQL_INTROSPECTION: 'false' } });
    const answer = await closed.call('POST', '/graphql', { body: { query: '{ __schema { types { name } } }' } });
    await closed.close();
    expect(JSON.stringify(answer.body)).toContain('introspection has been disabled');
    expect(JSON.stringify(answer.body)).not.toContain('Apollo');
    expect(
      (await app.call('POST', '/graphql', { body: { query: '{ __schema { queryType { name } } }' } })).status,
    ).toBe(200);
  });
});

test('a document deeper than 12 levels is not valid', () => {
  const schema = buildSchema('type Query { a: Query b: Int }');
  const nested = (depth: number) => parse(`${'{ a '.repeat(depth - 1)}{ b }${' }'.repeat(depth - 1)}`);
  const rules = validationRules(true);
  expect(validate(schema, nested(12), rules)).toEqual([]);
  expect(validate(schema, nested(14), rules)).not.toEqual([]);
});

describe('a subscription', () => {
  const subscribe = (query: string, as: string | undefined = ada.token) => app.subscribe({ query }, { as });

  test('streams a reply whose pieces add up to the stored message', async () => {
    const { id } = await app.createConversation((await app.signUp()).token).catch(() => ({ id: '' }));
    expect(id).not.toBe('');
    const eve = await app.signUp();
    const conversation = await app.createConversation(eve.token);
    app.model.script({ when: 'Hi', deltas: ['Good', ' day', '.'] });
    const query = `subscription { messageStream(conversationId: "${conversation.id}", input: { content: "Hi" }) {
      __typename ... on MessageDelta { content end } ... on MessageDone { messageId stopped } ... on MessageError { code } } }`;
    const events = [];
    for await (const event of readEvents(await subscribe(query, eve.token))) events.push(event);
    const payloads = events.filter((event) => event.event === 'next').map((event) => event.data.data.messageStream);
    expect(
      payloads
        .filter((p) => p.__typename === 'MessageDelta')
        .map((p) => p.content)
        .join(''),
    ).toBe('Good day.');
    expect(payloads.at(-1)).toMatchObject({
      __typename: 'MessageDone',
      stopped: false,
      messageId: expect.stringMatching(/^msg_/),
    });
  });

  test('is refused with the error code of REST', async () => {
    const query = `subscription { messageStream(conversationId: "conv_none", input: { content: "Hi" }) { __typename } }`;
    const text = await (await subscribe(query)).text();
    expect(text).toContain('NOT_FOUND');
    expect(await (await app.subscribe({ query })).text()).toContain('UNAUTHENTICATED');
    expect(await (await subscribe('{ me { id } }')).text()).toContain('Only subscriptions');
    const misplaced = await ask('subscription { events { id } }');
    expect([misplaced.status, ...(codes(misplaced) ?? [])]).toEqual([200, 'INVALID_REQUEST']);
  });
});
