import { afterAll, beforeAll, expect, test } from 'vitest';
import { aggregateListingNotes as aggregateListings } from '../../src/marketplace/counts/notes.ts';
import { aggregateNotes as aggregateCounters } from '../../src/social/counters/aggregate.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { firstSums } from '../support/agent-use.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;
let people: Account[];
beforeAll(async () => {
  app = await startTestApp();
  people = await Promise.all(Array.from({ length: 3 }, () => app.signUp()));
  ada = await app.signUp({ plan: 'creator' });
  await firstSums(app);
});
afterAll(() => app.close());

const analytics = async (path: string, query = '') =>
  expectStatus(await app.call('GET', `/v1/studio/${path}analytics?${query}`, { as: ada.token }), 200).body;
const like = (agentId: string, { token }: Account, method = 'PUT') =>
  app.call(method, `/v1/social/likes/${agentId}`, { as: token });
async function aggregate(): Promise<void> {
  const system = app.app.newCtx({ kind: 'system' });
  await aggregateListings(system, new AbortController().signal);
  await aggregateCounters(system);
}
const view = async (agentId: string) => {
  expectStatus(await app.call('GET', `/v1/marketplace/agents/${agentId}`), 200);
  await eventually(async () => {
    const { rows } = await app.db.query(`select 1 from listing_views where agent_id = $1`, [agentId]);
    return rows.length > 0;
  });
};
const shown = ({ listing_views, likes }: Record<string, number>) => [listing_views, likes];

test('views of a listing and likes are figures of the day on which they were made, however few', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => app.createAgent(ada.token, { is_public: true })));
  const { id } = one as { id: string };
  await view(id);
  for (const person of people) expectStatus(await like(id, person), 200);
  await like(id, people[0] as Account, 'DELETE');
  await like((other as { id: string }).id, people[0] as Account);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  await app.db.query(`update counter_notes set created_at = $1 where delta < 0`, [yesterday]);
  await aggregate();
  await aggregate();
  const { totals, series } = await analytics(`agents/${id}/`);
  expect(shown(totals)).toEqual([1, 2]);
  expect(series.slice(-3).map(shown)).toEqual([
    [0, 0],
    [0, -1],
    [1, 3],
  ]);
  expect(shown((await analytics(`agents/${id}/`, 'granularity=week')).totals)).toEqual([1, 2]);
  expect(shown((await analytics('')).totals)).toEqual([1, 3]);
  const { body } = await app.call('GET', `/v1/studio/agents/${id}/analytics?format=csv`, { as: ada.token });
  expect(String(body).split('\n')[0]).toMatch(/,listing_views,likes$/);
});

test('the free plan has neither', async () => {
  const { id } = await app.createAgent((people[1] as Account).token, { is_public: true });
  await like(id, people[0] as Account);
  await aggregate();
  const { body } = await app.call('GET', `/v1/studio/agents/${id}/analytics`, { as: people[1]?.token });
  expect([shown(body.totals), shown(body.series.at(-1))]).toEqual([
    [null, null],
    [null, null],
  ]);
});

test('activity recorded for a deleted agent is not counted', async () => {
  const { id } = await app.createAgent(ada.token, { is_public: true });
  await like(id, people[0] as Account);
  await app.db.query('delete from agents where id = $1', [id]);
  await aggregate();
  const { rows } = await app.db.query('select 1 from agent_interest_days where agent_id = $1', [id]);
  expect(rows).toEqual([]);
});
