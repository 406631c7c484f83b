import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAnalytics } from '../../src/studio/analytics/analytics.ts';
import { firstSums, useAgentOn } from '../support/agent-use.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let ada: Account;
let people: Account[];
let first: string;

beforeAll(async () => {
  app = await startTestApp();
  people = await Promise.all(Array.from({ length: 6 }, () => app.signUp({ plan: 'plus' })));
  await firstSums(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await app.signUp({ plan: 'creator' });
  first = await createAgent();
});

const day = '2026-11-02';
const unknown = { sessionId: null, apiKeyId: null, ip: '' };
const createAgent = async (): Promise<string> => (await app.createAgent(ada.token, { is_public: true })).id;
const use = (agentId: string, count: number, { version = 1, from = 0, on = day } = {}): Promise<void> =>
  useAgentOn(app, { agentId, day: on, people: people.slice(from, from + count), version });
const get = (query: string, as = ada.token) => app.call('GET', `/v1/studio/analytics?${query}`, { as });
const ofDay = async (query = '') => expectStatus(await get(`from=${day}&to=${day}${query}`), 200).body;

describe('GET /v1/studio/analytics', () => {
  test('adds up all agents of the account', async () => {
    // Yesterday is complete only some minutes after midnight.
    await use(first, 5, { on: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10) });
    const body = expectStatus(await get(''), 200).body;
    expect(body.totals).toMatchObject({ people: 5, messages: 5 });
    expect(body.agents).toEqual([{ agent_id: first, name: 'Ada', conversations: 5, messages: 5 }]);
  });

  test('counts a person of two agents twice, so that the people of both do not follow', async () => {
    await use(first, 5);
    await use(await createAgent(), 5, { from: 1 });
    expect((await ofDay()).totals).toMatchObject({ people: 10, new_people: 10 });
  });

  test('does not show an agent of few people by the difference to the others', async () => {
    await use(first, 5);
    await use(await createAgent(), 1, { from: 5 });
    const { totals, series } = await ofDay();
    expect(totals).toMatchObject({ people: 5, thumbs_down: 5, messages: 6, suppressed: true });
    expect(series).toMatchObject([{ people: 5, thumbs_down: 5, suppressed: true }]);
  });

  test('breaks the sum down by version or source, as each agent does', async () => {
    await use(first, 6);
    const second = await createAgent();
    await use(second, 5);
    await use(second, 5, { version: 2 });
    expect((await ofDay('&by=version')).breakdown).toMatchObject([
      { version_number: 1, version_id: null, messages: 11, is_other: false },
      { version_number: 2, version_id: null, messages: 5, is_other: false },
    ]);
    const bySource = await ofDay('&by=source');
    expect(bySource.breakdown).toMatchObject([{ source: 'direct', messages: 16, is_other: false }]);
    expect((await ofDay()).breakdown).toEqual([]);
  });

  test.each([undefined, 'version', 'source'])(
    'reads as many rows for many agents and versions as for one, by %s',
    async (by) => {
      const versions = by === 'version' ? [1] : [1, 2, 3];
      const agents = [first, await createAgent(), await createAgent()];
      for (const agentId of agents) for (const version of versions) await use(agentId, 5, { version });
      const read = async (agentIds: string[]) => {
        let rows = 0;
        const ctx = app.app.newCtx({ kind: 'user', userId: ada.id, plan: 'creator', scopes: [], ...unknown });
        const counted: typeof ctx.sql = async <Row extends object>(...query: Parameters<typeof ctx.sql>) => {
          const read = await ctx.sql<Row>(...query);
          rows += read.length;
          return read;
        };
        const { totals } = await readAnalytics({ ...ctx, sql: counted }, null, agentIds, { from: day, to: day, by });
        return { rows, messages: totals.messages };
      };
      const one = await read([first]);
      expect(one.messages).toBe(5 * versions.length);
      expect(await read(agents)).toEqual({ rows: one.rows, messages: 15 * versions.length });
    },
  );

  test('rejects an unknown breakdown, and one that the plan does not include', async () => {
    expect(await get('by=country')).toMatchObject({ status: 400, body: { error: { details: [{ field: 'by' }] } } });
    const free = await app.signUp();
    const refused = await get('by=source', free.token);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'plan_limit_exceeded' } } });
  });
});
