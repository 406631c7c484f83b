import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { behindLock } from '../support/behind-lock.ts';
import { expectStatus } from '../support/client.ts';

let service: TestApp;
let other: TestApp;
const env = { AUTH_SECRET: 'the same secret for both instances', GENERATION_LIMITS: JSON.stringify({ perAccount: 4 }) };

beforeAll(async () => {
  service = await startTestApp({ env });
  other = await startTestApp({ env, databaseUrl: service.databaseUrl });
});
afterAll(async () => {
  await other.close();
  await service.close();
});

test('two instances together accept as many concurrent messages as the account may have under way', async () => {
  for (const { model } of [service, other]) model.script({ firstDeltaDelayMs: 60_000, times: Infinity });
  const { token: as } = await service.signUp();
  const agent = await service.createAgent(as, { greeting_message: 'Hello.' });
  const create = async () =>
    expectStatus(await service.call('POST', '/v1/conversations', { as, body: { agent_id: agent.id } }), 201).body.id;
  const ids: string[] = await Promise.all(Array.from({ length: 20 }, create));
  const leave = new AbortController();
  const refused = ids.map(async (id, i) => {
    const options = { as, body: { content: 'hi' }, signal: leave.signal };
    const answer = await [service, other][i % 2]!.call('POST', `/v1/conversations/${id}/messages`, options);
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    return id;
  });
  const done = await firstOf(refused, ids.length - 4);
  expect((await service.call('GET', '/v1/billing/usage', { as })).body.usage.messages_sent).toBe(4);
  const { rows } = await service.db.query(`select conversation_id as id from generations where state = 'running'`);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.filter((id) => !done.includes(id)).toSorted());
  for (const { id } of rows)
    expectStatus(await service.call('POST', `/v1/conversations/${id}/messages/stop`, { as }), 200);
  leave.abort();
});

/** Resolves with the first `count` results. Later ones are ignored and may fail. */
function firstOf<Value>(promises: readonly Promise<Value>[], count: number): Promise<Value[]> {
  const values: Value[] = [];
  return new Promise((resolve, reject) => {
    for (const promise of promises)
      promise.then((value) => void (values.push(value) === count && resolve(values)), reject);
  });
}

test('a message that waits for its conversation is rejected when the agent becomes private first', async () => {
  const [owner, person] = [await service.signUp(), await service.signUp()];
  const agent = await service.createAgent(owner.token, { greeting_message: 'Hello.', is_public: true });
  const body = { agent_id: agent.id };
  const { id } = expectStatus(await service.call('POST', '/v1/conversations', { as: person.token, body }), 201).body;
  const path = `/v1/conversations/${id}/messages`;
  const send = () => service.call('POST', path, { as: person.token, body: { content: 'hi' } });
  const lock = ['select from conversations where id = $1 for update', id] as const;
  const [sent] = await behindLock(service, lock, [send], async () => {
    const change = { as: owner.token, body: { is_public: false } };
    expectStatus(await service.call('PUT', `/v1/agents/${agent.id}`, change), 200);
  });
  expect(sent).toMatchObject({ status: 404 });
});
