import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { runRecurring } from '../support/jobs.ts';
import { letTasksComeDue } from '../support/leases.ts';

const dayMs = 86_400_000;
const clock = createTestClock(new Date());

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

/** Creates a review by an account that has chatted with the agent. */
async function review(agentId: string, { id, token }: Account): Promise<void> {
  const { body } = await app.call('POST', '/v1/conversations', { as: token, body: { agent_id: agentId } });
  await app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), $1, $2, 1000 + n, 'user', 'Hello.', now() from generate_series(1, 5) n`,
    [body.id, id],
  );
  const path = `/v1/marketplace/agents/${agentId}/review`;
  expectStatus(await app.call('PUT', path, { as: token, body: { rating: 5 } }), 200);
}

test('the purge of an account takes its reviews out of ratings and its listings out of addresses, and leaves copies by others', async () => {
  const [maker, leaver, ...others] = await Promise.all(
    Array.from({ length: 5 }, (_one, n) => app.signUp({ username: `purged-${n}` })),
  );
  if (!maker || !leaver) throw new Error('two accounts are missing');
  await app.db.query(`update users set created_at = created_at - interval '2 days'`);
  const reviewed = await app.createAgent(maker.token, { name: 'Reviewed', is_public: true });
  for (const account of [leaver, ...others]) await review(reviewed.id, account);
  const open = await app.createAgent(leaver.token, { name: 'Going away', is_public: true });
  const listing = `/v1/agents/${open.id}/listing`;
  expectStatus(await app.call('PUT', listing, { as: leaver.token, body: { allow_copies: true } }), 200);
  const copy = expectStatus(await app.call('POST', `/v1/agents/${open.id}/copy`, { as: maker.token }), 201).body;
  const copyListing = async () => (await app.call('GET', `/v1/agents/${copy.id}/listing`, { as: again })).body;
  const counted = async () => {
    await runRecurring('marketplace.aggregate', () => app.app.newCtx({ kind: 'system' }));
    const { review_count, rating } = (await app.call('GET', `/v1/marketplace/agents/${reviewed.id}`)).body;
    return [review_count, rating];
  };
  let again = maker.token;
  expect((await copyListing()).copied_from).toBe(open.id);
  await expect.poll(counted, { timeout: 40_000 }).toEqual([4, 4.17]);

  expectStatus(await app.call('DELETE', '/v1/auth/me', { as: leaver.token }), 200);
  expect((await app.call('GET', '/v1/marketplace/agents/going-away')).status).toBe(404);
  clock.advance(30 * dayMs + 1_000);
  await letTasksComeDue(app.db);
  await eventually(async () => (await app.db.query(`select from users where id = $1`, [leaver.id])).rows.length === 0, {
    what: 'the purge',
  });
  await expect.poll(counted, { timeout: 40_000 }).toEqual([3, 4.06]);
  const { email, password } = maker;
  again = (await app.call('POST', '/v1/auth/login', { body: { email, password } })).body.access_token;
  expect(await copyListing()).toMatchObject({ name: 'Going away (copy)', copied_from: null });
  const { rows } = await app.db.query(`select from listings where slug = 'going-away'`);
  expect(rows).toEqual([]);
});
