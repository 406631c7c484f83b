import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import type { Account, Answer } from '../../support/client.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { findViolations } from '../../support/invariants.ts';
import { type BillingApp, startBillingApp } from '../billing-app.ts';

const atOnce = 50;
const rounds = countOf({ quick: 2, long: 40 });
let harness: BillingApp;
let app: TestApp;
let other: TestApp;
let ada: Account;

beforeAll(async () => {
  harness = await startBillingApp();
  app = harness.app;
  other = await harness.startAnother();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(async () => {
  await other.close();
  await harness.close();
});

/** An object to create under a key: its caller, its route, its body, and a different body. */
interface Creation {
  as: string;
  path: string;
  body: object;
  another: object;
  /** Counts the created objects. */
  count: () => Promise<number>;
}

const rowsOf = (table: string) => async (): Promise<number> =>
  (await app.db.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]!.n;
const pages = { success_url: 'https://example.com/yes', cancel_url: 'https://example.com/no' };

const creations: Record<string, () => Promise<Creation>> = {
  agents: async () => ({
    as: ada.token,
    path: '/v1/agents',
    body: { name: 'One', instructions: 'Teach.' },
    another: { name: 'Two', instructions: 'Teach.' },
    count: rowsOf('agents'),
  }),
  conversations: async () => {
    const { id } = await app.createAgent(ada.token, { greeting_message: 'Hello.' });
    return {
      as: ada.token,
      path: '/v1/conversations',
      body: { agent_id: id, title: 'One' },
      another: { agent_id: id, title: 'Two' },
      count: rowsOf('conversations'),
    };
  },
  messages: async () => {
    const { id } = await app.createConversation(ada.token);
    return {
      as: ada.token,
      path: `/v1/conversations/${id}/messages`,
      body: { content: 'One' },
      another: { content: 'Two' },
      count: rowsOf(`messages where role = 'user'`),
    };
  },
  checkout: async () => ({
    as: (await app.signUp()).token,
    path: '/v1/billing/checkout',
    body: { plan: 'plus', interval: 'month', ...pages },
    another: { plan: 'pro', interval: 'year', ...pages },
    // Stripe creates one session for all calls under one key.
    count: async () => new Set(harness.proxy.keysOf('/v1/checkout/sessions')).size,
  }),
  webhooks: async () => ({
    as: ada.token,
    path: '/v1/webhooks',
    body: { url: 'https://example.com/one', events: ['agent.created'] },
    another: { url: 'https://example.com/two', events: ['agent.created'] },
    count: rowsOf('webhooks'),
  }),
};

/** Sends as many requests at once, alternating between the instances, and returns the responses. */
function together(count: number, ask: (instance: TestApp, i: number) => Promise<Answer>): Promise<Answer[]> {
  // On a busy machine a request that finds no connection in time gets 503, and is retried.
  const untilAnswered = async (i: number): Promise<Answer> => {
    const answer = await ask([app, other][i % 2]!, i);
    return answer.status === 503 ? untilAnswered(i) : answer;
  };
  return Promise.all(Array.from({ length: count }, (_, i) => untilAnswered(i)));
}
const bodiesOf = (answers: readonly Answer[]) => new Set(answers.map(({ body }) => JSON.stringify(body)));
const codesOf = (answers: readonly Answer[]) =>
  new Set(answers.filter(({ status }) => status !== 201).map(({ status, body }) => `${status} ${body.error.code}`));

test.for(Object.keys(creations))(
  'creates one object for fifty identical requests at once on two instances: %s',
  { timeout: 30_000 * rounds },
  async (what, { task }) => {
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      const { as, path, body, another, count } = await creations[what]!();
      const post = (key: string) => (instance: TestApp, sent: object) =>
        instance.call('POST', path, { as, body: sent, headers: { 'idempotency-key': key } });
      const before = await count();
      const ask = post(randomUUID());
      const first = await together(atOnce, (instance) => ask(instance, body));
      const made = first.filter(({ status }) => status === 201);
      expect([...codesOf(first)].filter((code) => code !== '409 idempotency_in_progress')).toEqual([]);
      expect([bodiesOf(made).size, await count()]).toEqual([1, before + 1]);
      const again = await together(10, (instance) => ask(instance, body));
      expect([bodiesOf([...made, ...again]).size, codesOf(again)]).toEqual([1, new Set()]);
      const changed = await together(20, (instance) => ask(instance, another));
      expect([codesOf(changed), changed.length]).toEqual([new Set(['422 idempotency_mismatch']), 20]);
      expect(changed.filter(({ status }) => status === 201)).toEqual([]);
      expect(await count()).toBe(before + 1);
      refused += first.length - made.length + changed.length;
    }
    expect(await findViolations(app.db)).toEqual({});
    report(
      { task },
      {
        times: `${what}: ${rounds} × ${atOnce} requests`,
        checked: `${rounds * (atOnce + 30)} answers`,
        note: `${what}: ${refused} refused as in progress or mismatched`,
      },
    );
  },
);

test.for(Object.keys(creations))(
  'executes one of two bodies under one key, and always refuses the other: %s',
  { timeout: 30_000 * rounds },
  async (what, { task }) => {
    for (let round = 0; round < rounds; round++) {
      const { as, path, body, another, count } = await creations[what]!();
      const before = await count();
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await together(atOnce, (instance, i) =>
        instance.call('POST', path, { as, body: i % 4 < 2 ? body : another, headers }),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect([bodiesOf(made).size, await count()]).toEqual([1, before + 1]);
      const winner = answers.findIndex(({ status }) => status === 201) % 4 < 2;
      const losers = answers.filter((_, i) => i % 4 < 2 !== winner);
      expect(losers.filter(({ status }) => status !== 422 && status !== 409)).toEqual([]);
      expect(losers.filter(({ body: said }) => said.error.code === 'idempotency_mismatch').length).toBeGreaterThan(0);
    }
    report({ task }, { times: `${what}: ${rounds} × ${atOnce} of two kinds`, checked: `${rounds * atOnce} answers` });
  },
);
