import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Answer, expectStatus } from '../../support/client.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { createTestClock } from '../../support/clock.ts';
import { findViolations } from '../../support/invariants.ts';

const secrets = { AUTH_SECRET: 's'.repeat(40), ENCRYPTION_KEYS: 'e'.repeat(40) };
const clock = createTestClock(new Date('2026-11-21T23:59:50.000Z'));
const zone = process.env['TZ'];
let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: secrets, clock });
  other = await startTestApp({
    env: { ...secrets, OPENAI_BASE_URL: app.model.baseUrl },
    databaseUrl: app.databaseUrl,
    clock,
  });
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});
afterAll(async () => {
  await other.close();
  await app.close();
});

/** Sends `count` messages at once, each in its own conversation, alternating between the instances. Returns the statuses. */
async function race(as: string, conversations: readonly string[]): Promise<Record<number, number>> {
  // On a busy machine a request that finds no connection in time gets 503, and is retried.
  const send = async (id: string, i: number): Promise<Answer> => {
    const body = { content: 'Hello' };
    const answer = await [app, other][i % 2]!.call('POST', `/v1/conversations/${id}/messages`, { as, body });
    return answer.status === 503 ? send(id, i) : answer;
  };
  const answers = await Promise.all(conversations.map(send));
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  for (const { status, headers } of answers)
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  return statuses;
}

async function open(as: string, count: number): Promise<string[]> {
  const { id: agent_id } = await app.createAgent(as, { greeting_message: 'Hi.' });
  const ids: string[] = [];
  while (ids.length < count) {
    const made = await app.call('POST', '/v1/conversations', { as, body: { agent_id } });
    ids.push(expectStatus(made, 201).body.id);
  }
  return ids;
}

test('accepts exactly the messages left in the day when a hundred are sent at once to two instances', async ({
  task,
}) => {
  const rounds = countOf({ quick: 2, long: 20 });
  for (let round = 0; round < rounds; round++) {
    const ada = await app.signUp();
    const conversations = await open(ada.token, 100);
    expect(await race(ada.token, conversations)).toEqual({ 201: 50, 429: 50 });
    const bob = await app.signUp();
    const his = await open(bob.token, 149);
    expect(await race(bob.token, his.slice(0, 49))).toEqual({ 201: 49 });
    expect(await race(bob.token, his.slice(49))).toEqual({ 201: 1, 429: 99 });
  }
  expect(await findViolations(app.db)).toEqual({});
  report({ task }, { times: `${rounds * 2} races of 100 on 2 instances`, checked: 'every answer, the counters' });
});

test.for(['Asia/Tokyo', 'America/Los_Angeles'])(
  'resets the daily quota at midnight UTC, with the server in %s',
  async (tz, { task }) => {
    process.env['TZ'] = tz;
    expect(new Date('2026-07-01T00:00:00Z').getHours()).not.toBe(0);
    const untilMidnightMs = 86_400_000 - (clock.now().getTime() % 86_400_000);
    clock.advance(untilMidnightMs - 5_000);
    const ada = await app.signUp();
    const conversations = await open(ada.token, 60);
    expect(await race(ada.token, conversations)).toEqual({ 201: 50, 429: 10 });
    clock.advance(4_999);
    expect(await race(ada.token, conversations.slice(0, 2))).toEqual({ 429: 2 });
    clock.advance(1);
    const usage = (await app.call('GET', '/v1/billing/usage', { as: ada.token })).body;
    expect([usage.usage.messages_sent, usage.period_start]).toEqual([0, clock.now().toISOString()]);
    expect(await race(ada.token, conversations)).toEqual({ 201: 50, 429: 10 });
    expect(await findViolations(app.db)).toEqual({});
    report({ task }, { times: '1 midnight', checked: '122 messages', note: `a clock of the tests' own, TZ=${tz}` });
  },
);

test('refuses every request that begins after a key was revoked, on both instances', async ({ task }) => {
  const rounds = countOf({ quick: 10, long: 100 });
  let after = 0;
  const ada = await app.signUp();
  const { id: agentId } = await app.createAgent(ada.token);
  for (let round = 0; round < rounds; round++) {
    const made = await app.call('POST', '/v1/auth/api-keys', {
      as: ada.token,
      body: { name: 'k', scopes: ['agents:read'] },
    });
    const { key, id } = expectStatus(made, 201).body;
    const read = (n: number) => [app, other][n % 2]!.call('GET', `/v1/agents/${agentId}`, { as: key });
    const running = Array.from({ length: 50 }, (_, n) => read(n));
    expectStatus(await app.call('DELETE', `/v1/auth/api-keys/${id}`, { as: ada.token }), 200);
    const late = await Promise.all(Array.from({ length: 50 }, (_, n) => read(n)));
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await Promise.all(running)).filter(({ status }) => ![200, 401].includes(status))).toEqual([]);
    after += late.length;
  }
  report({ task }, { times: `${rounds} keys on 2 instances`, checked: `${after} requests begun afterwards` });
});

test('returns 404 for every request that begins after an agent was deleted, on both instances', async ({ task }) => {
  const rounds = countOf({ quick: 4, long: 20 });
  const atOnce = 50;
  let after = 0;
  const ada = await app.signUp();
  const as = ada.token;
  for (let round = 0; round < rounds; round++) {
    const { id: agent_id } = await app.createAgent(as, { greeting_message: 'Hi.' });
    const { id } = expectStatus(await app.call('POST', '/v1/conversations', { as, body: { agent_id } }), 201).body;
    const uses = [
      (instance: TestApp) => instance.call('GET', `/v1/agents/${agent_id}`, { as }),
      (instance: TestApp) => instance.call('GET', `/v1/conversations/${id}`, { as }),
      (instance: TestApp) => instance.call('POST', '/v1/conversations', { as, body: { agent_id } }),
      (instance: TestApp) => instance.call('PUT', `/v1/agents/${agent_id}`, { as, body: { name: 'B' } }),
      (instance: TestApp) =>
        instance.call('POST', `/v1/conversations/${id}/messages`, { as, body: { content: `Hello ${round}` } }),
    ];
    const use = (n: number): Promise<Answer> => uses[n % uses.length]!([app, other][n % 2]!);
    const running = Array.from({ length: atOnce }, (_, n) => use(n));
    const remove = async (): Promise<void> => {
      const answer = await app.call('DELETE', `/v1/agents/${agent_id}`, { as });
      if (answer.status === 503) return remove();
      expectStatus(answer, 200);
    };
    await remove();
    const late = await Promise.all(Array.from({ length: atOnce }, (_, n) => use(n)));
    expect(late.filter(({ status }) => status !== 404 && status !== 503)).toEqual([]);
    const odd = (await Promise.all(running)).filter(({ status }) => ![200, 201, 404, 409, 429, 503].includes(status));
    expect(odd.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).toEqual([]);
    after += late.length;
  }
  // Messages of deleted conversations stay charged.
  const { 'a quota that is not the number of charged attempts': _counted, ...violations } = await findViolations(
    app.db,
  );
  expect(violations).toEqual({});
  report({ task }, { times: `${rounds} agents on 2 instances`, checked: `${after} requests begun afterwards` });
}, 120_000);
