import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus, readEvents } from '../support/client.ts';

const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40) };

let worker: TestApp;
let web: TestApp;

beforeAll(async () => {
  worker = await startTestApp({ env: { ...secrets, ROLE: 'worker' } });
  web = await startTestApp({ env: { ...secrets, ROLE: 'web' }, databaseUrl: worker.databaseUrl });
});
afterAll(async () => {
  await web?.close();
  await worker?.close();
});

async function follow(as: string, args: string, signal: AbortSignal) {
  return readEvents(await web.subscribe({ query: `subscription { events(${args}) { type data } }` }, { as, signal }));
}

/** A stream looks by itself every two seconds: the median of what is told to it is far below half of that. */
const soonMs = 300;

test.each(['worker', 'web'] as const)(
  'a web process hears of an event that its %s has committed at once',
  async (where) => {
    const account = await web.signUp();
    const as = account.token;
    const agent = await web.createAgent(as);
    const { rows } = await web.db.query('select id from outbox_events where account_id = $1', [account.id]);
    const reader = new AbortController();
    const events = await follow(as, `types: [AGENT_UPDATED], after: "${rows[0].id}"`, reader.signal);
    const tookMs: number[] = [];
    const committing = { worker, web }[where];
    for (let n = 0; n < 6; n++) {
      const name = `Ada ${n}`;
      const arrived = events.next();
      const startedAt = performance.now();
      expectStatus(await committing.call('PUT', `/v1/agents/${agent.id}`, { as, body: { name } }), 200);
      expect((await arrived).value?.data.data.events.data.name).toBe(name);
      tookMs.push(performance.now() - startedAt);
    }
    reader.abort();
    // The first may have been there before the stream was; the machine may hold up some others.
    expect(tookMs.slice(1).toSorted((a, b) => a - b)[1]).toBeLessThan(soonMs);
  },
);

/** More than a stream that begins remembers of the last half minute. */
const manyEvents = 1_100;

test('a stream that begins now gives nothing of before, however much has just happened', async () => {
  const account = await web.signUp();
  const agent = await web.createAgent(account.token);
  await web.db.query(
    `insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
     select 'evt_' || gen_random_uuid(), $1, 'agent.updated', '{"name":"before"}', now(), now() from generate_series(1, $2)`,
    [account.id, manyEvents],
  );
  const reader = new AbortController();
  const events = await follow(account.token, 'types: [AGENT_UPDATED, AGENT_CREATED]', reader.signal);
  const first = events.next();
  // Nothing tells when it has begun: one of these comes after that.
  const change = async () => {
    const body = { name: 'after' };
    while (!reader.signal.aborted) await web.call('PUT', `/v1/agents/${agent.id}`, { as: account.token, body });
  };
  const changing = change();
  try {
    expect((await first).value?.data.data.events.data.name).toBe('after');
  } finally {
    reader.abort();
    await changing;
  }
});
