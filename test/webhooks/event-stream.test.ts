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

/** A stream looks by itself every two seconds: the median of what is told to it is far below half of that. */
const soonMs = 300;

test.each(['worker', 'web'] as const)(
  'a web process hears of an event that its %s has committed at once',
  async (where) => {
    const account = await web.signUp();
    const as = account.token;
    const agent = await web.createAgent(as);
    const { rows } = await web.db.query('select id from outbox_events where account_id = $1', [account.id]);
    const query = `subscription { events(types: [AGENT_UPDATED], after: "${rows[0].id}") { data } }`;
    const reader = new AbortController();
    const response = await web.subscribe({ query }, { as, signal: reader.signal });
    const events = readEvents(response);
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
