import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';

let app: TestApp;
let ada: Account;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());

const createAgent = `mutation ($name: String!) { createAgent(input: { name: $name, instructions: "Teach." }) { id } }`;
const createKey = `mutation { createApiKey(input: { name: "Reports", scopes: [AGENTS_READ] }) { key } }`;

const mutate = (key: string, query: string, variables: object = {}, as = ada.token) =>
  app.call('POST', '/graphql', { as, body: { query, variables }, headers: { 'idempotency-key': key } });
const countAgents = async () => (await app.db.query('select count(*)::int as n from agents')).rows[0].n;

describe('a mutation with an Idempotency-Key', () => {
  test('runs once for twenty concurrent requests, and replays its response', async () => {
    const before = await countAgents();
    const answers = await Promise.all(Array.from({ length: 20 }, () => mutate('twenty', createAgent, { name: 'Ada' })));
    expect(await countAgents()).toBe(before + 1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.errors[0].extensions.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    const [made] = answers.filter(({ status }) => status === 200);
    const again = await mutate('twenty', createAgent, { name: 'Ada' });
    expect(again.body).toEqual(made?.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('returns the same secret again to its own credential, and rejects another body or credential', async () => {
    const first = await mutate('secret', createKey);
    expect(first.body.data.createApiKey.key).toMatch(/^ak_/);
    expect((await mutate('secret', createKey)).body).toEqual(first.body);
    const other = await app.call('POST', '/v1/auth/login', { body: { email: ada.email, password: ada.password } });
    for (const answer of [
      await mutate('secret', createAgent, { name: 'Bo' }),
      await mutate('secret', createKey, {}, other.body.access_token),
    ])
      expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  test('that fails is not stored and changes nothing, and runs when it is repeated', async () => {
    const before = await countAgents();
    expect((await mutate('fails', createAgent, { name: '' })).body.errors).toHaveLength(1);
    expect((await mutate('fails', createAgent, { name: '' })).body.errors).toHaveLength(1);
    expect(await countAgents()).toBe(before);
    expect((await mutate('fails', createAgent, { name: 'Now' })).body.data.createAgent.id).toBeTruthy();
  });

  test('has one field: with several, or a fragment, it is refused and changes nothing', async () => {
    const before = await countAgents();
    const fields = `a: createAgent(input: { name: "A", instructions: "T." }) { id }`;
    for (const query of [
      `mutation { ${fields} b: createAgent(input: { name: "B", instructions: "T." }) { id } }`,
      `mutation { ${fields} sendMessage(conversationId: "x", input: { content: "y" }) { assistantMessage { id } } }`,
      `mutation { ...F } fragment F on Mutation { ${fields} }`,
      `mutation { ... { ${fields} } }`,
    ]) {
      const { status, body } = await mutate('several', query);
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_REQUEST']);
    }
    expect(await countAgents()).toBe(before);
    expect((await mutate('several', createAgent, { name: 'C' })).body.data.createAgent.id).toBeTruthy();
  });

  test('does not concern a query', async () => {
    expect((await mutate('twenty', '{ me { id } }')).status).toBe(200);
  });
});
