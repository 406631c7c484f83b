import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Answer } from '../support/client.ts';

const codes = (answer: Answer): string[] =>
  (answer.body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);

describe('the limits of root fields', () => {
  let app: TestApp;

  beforeAll(async () => {
    const plans = { free: 20, plus: 20, pro: 20, creator: 20 };
    app = await startTestApp({ env: { RATE_LIMITS: JSON.stringify({ ...plans, anonymous: 1_000 }) } });
  });
  afterAll(() => app.close());

  const aliased = (field: string, times: number): string =>
    Array.from({ length: times }, (_, i) => `a${i}: ${field}`).join(' ');

  test('each alias counts against the rate limit of its REST route', async () => {
    const { token } = await app.signUp();
    const first = await app.graphql(`{ ${aliased('me { id }', 12)} }`, { as: token });
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '8']);
    const second = await app.graphql(`{ ${aliased('me { id }', 12)} }`, { as: token });
    expect([second.status, codes(second)]).toEqual([429, ['RATE_LIMITED']]);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(second.body.data).toBeUndefined();
  });

  test('a field that is selected twice under one key counts once', async () => {
    const { token } = await app.signUp();
    const answer = await app.graphql('{ me { id } ...F } fragment F on Query { me { email } }', { as: token });
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('19');
  });

  test.each([
    ['register', 'mutation', 'register(input: { email: "x@example.com", password: "correct horse" }) { user { id } }'],
    ['login', 'mutation', 'login(input: { email: "x@example.com", password: "correct horse" }) { expiresIn }'],
    ['forgotPassword', 'mutation', 'forgotPassword(input: { email: "x@example.com" }) { message }'],
    ['resetPassword', 'mutation', 'resetPassword(input: { token: "rst_x", newPassword: "correct horse" }) { message }'],
    ['synthesizeSpeech', 'mutation', 'synthesizeSpeech(input: { text: "Hello." }) { mediaType }'],
    ['transcribeAudio', 'mutation', 'transcribeAudio(input: { audio: "" }) { text }'],
    ['exportConversation', 'query', 'exportConversation(conversationId: "x")'],
    [
      'uploadDocument',
      'mutation',
      'uploadDocument(agentId: "x", input: { file: { filename: "a.txt", base64: "" } }) { id }',
    ],
  ])('%s is rejected when it is aliased', async (name, operation, field) => {
    const answer = await app.graphql(
      `${operation} { ...F a: ${field} } fragment F on ${operation === 'query' ? 'Query' : 'Mutation'} { b: ${field} }`,
    );
    expect(codes(answer)).toEqual(['INVALID_REQUEST']);
    expect(answer.body.errors[0].message).toBe(`\`${name}\` may be used only once in a request.`);
  });

  test('speech counts against its own limit, also in GraphQL', async () => {
    const { token } = await app.signUp();
    const answer = await app.graphql('mutation { synthesizeSpeech(input: { text: "" }) { mediaType } }', { as: token });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('100');
    const rest = await app.call('POST', '/v1/voice/tts', { as: token, body: { text: '' } });
    expect(rest.headers.get('x-ratelimit-remaining')).toBe('98');
  });
});

describe('the size of a response', () => {
  let app: TestApp;
  let token: string;

  beforeAll(async () => {
    app = await startTestApp();
    ({ token } = await app.signUp({ plan: 'creator' }));
    for (let i = 0; i < 20; i++) await app.createConversation(token);
    // 20 conversations with 30 messages of 20,000 characters each: 12 MB.
    await app.db.query(`
      insert into messages (id, conversation_id, user_id, position, role, content, created_at)
      select 'msg_' || gen_random_uuid(), c.id, c.user_id, 1000 + n, 'user', repeat('x', 20000), now()
      from conversations c, generate_series(1, 30) n`);
  });
  afterAll(() => app.close());

  test('an operation that could return too many values is rejected before it runs', async () => {
    const page = 'conversations(limit: 10) { data { messages { content } } }';
    const aliases = Array.from({ length: 30 }, (_, i) => `a${i}: ${page}`).join(' ');
    const answer = await app.graphql(`{ ${aliases} }`, { as: token });
    expect(codes(answer)).toEqual(['INVALID_REQUEST']);
    expect(answer.body.errors[0].message).toContain('could return more than');
  });

  test.each([
    ['in the document', '{ c: conversations(limit: 100) { data { messages { id content role } } } }', {}],
    [
      'in a variable',
      'query ($n: Int) { conversations(limit: $n) { data { messages { id content role } } } }',
      { n: 100 },
    ],
    ['by default', 'query ($n: Int = 100) { conversations(limit: $n) { data { messages { id content role } } } }', {}],
    [
      'in a fragment',
      '{ ...F } fragment F on Query { conversations(limit: 100) { data { ...C } } } fragment C on Conversation { messages { id content role } }',
      {},
    ],
  ])('the cost multiplies a limit that is given %s', async (_where, query, variables) => {
    const answer = await app.graphql(query, { as: token, variables });
    expect(answer.body.errors?.[0].message).toContain('could return more than');
  });

  test('a page of conversations with their messages is within the cost', async () => {
    const answer = await app.graphql('{ conversations(limit: 10) { data { id title messages { id } } } }', {
      as: token,
    });
    expect([answer.body.errors, answer.body.data.conversations.data.length]).toEqual([undefined, 10]);
  });

  test('a response over 10 MB is refused while it is read', async () => {
    const answer = await app.graphql('{ conversations(limit: 20) { data { messages { content } } } }', { as: token });
    expect(codes(answer)).toContain('PAYLOAD_TOO_LARGE');
    expect(answer.body.data).toBeNull();
  });
});

describe('the time of validation', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test.each([
    ['one field 490 times', `{ me { ${'id '.repeat(490)} } }`],
    ['one object 390 times', `{ ${'me { id email } '.repeat(390)} }`],
  ])('a document that selects %s is rejected within 20 ms', async (_what, query) => {
    await app.graphql(query);
    const times: number[] = [];
    for (let i = 0; i < 10; i++) {
      const startedAt = process.cpuUsage();
      const answer = await app.graphql(`${query} # ${i}`);
      const { user, system } = process.cpuUsage(startedAt);
      times.push((user + system) / 1_000);
      expect(answer.body.errors[0].message).toBe('The document repeats the same fields too often.');
    }
    expect(times.toSorted((a, b) => a - b)[3]).toBeLessThan(20);
  });

  test('a document with more than 100 fragment spreads is rejected', async () => {
    const spread = async (times: number) =>
      (await app.graphql(`{ ${'...F '.repeat(times)} } fragment F on Query { models { data { id } } }`)).body;
    expect((await spread(100)).errors).toBeUndefined();
    expect((await spread(101)).errors[0].message).toBe('The document spreads fragments more than 100 times.');
  });
});
