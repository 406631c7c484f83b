import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aggregateStudioNotes } from '../../src/studio/analytics/aggregate-notes.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { firstSums, useAgentOn } from '../support/agent-use.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;
let people: Account[];
let agentId: string;

beforeAll(async () => {
  app = await startTestApp();
  people = await Promise.all(Array.from({ length: 6 }, () => app.signUp({ plan: 'plus' })));
  await firstSums(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await app.signUp({ plan: 'creator' });
  agentId = (await app.createAgent(ada.token, { is_public: true, greeting_message: 'Hello.' })).id;
});

const call = (method: string, path: string, body?: unknown, as = ada.token) => app.call(method, path, { as, body });
const analytics = async (query = '') =>
  expectStatus(await call('GET', `/v1/studio/agents/${agentId}/analytics?${query}`), 200).body;
const aggregate = () => aggregateStudioNotes(app.app.newCtx({ kind: 'system' }), new AbortController().signal);
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const yesterday = () => dayOf(Date.now() - 86_400_000);

/** Moves today's figures to yesterday, a day that is complete. */
async function endDay(): Promise<void> {
  for (const table of ['agent_days', 'agent_day_users'])
    await app.db.query(`update ${table} set day = day - 1 where agent_id = $1 and day >= $2`, [
      agentId,
      dayOf(Date.now()),
    ]);
}

/** Sends messages to the agent in a new conversation. Returns the ids of the conversation and of the last reply. */
async function talk(as: string, messages = 1): Promise<{ id: string; replyId: string }> {
  const { id } = expectStatus(await call('POST', '/v1/conversations', { agent_id: agentId }, as), 201).body;
  let replyId = '';
  for (let n = 1; n <= messages; n++) {
    const content = `Message ${n}`;
    const { body } = expectStatus(await call('POST', `/v1/conversations/${id}/messages`, { content }, as), 201);
    replyId = body.assistant_message.id;
  }
  return { id, replyId };
}
const talkToday = async (count: number): Promise<void> => {
  for (const person of people.slice(0, count)) await talk(person.token);
};
const talkAll = async (count: number): Promise<void> => {
  await talkToday(count);
  await aggregate();
  await endDay();
};

const useOn = (day: string, count: number, { version = 1, first = 0 } = {}): Promise<void> =>
  useAgentOn(app, { agentId, day, people: people.slice(first, first + count), version });

describe('figures', () => {
  test('of four people are withheld, except totals of messages and conversations', async () => {
    await talkAll(4);
    const { totals, series } = await analytics();
    expect(totals).toMatchObject({ people: null, replies: null, messages: 4, conversations: 4, suppressed: true });
    expect(series.at(-2)).toMatchObject({ date: yesterday(), people: null, messages: null, suppressed: true });
  });

  test('of five people are shown', async () => {
    await talkAll(5);
    const { totals, series, complete_until } = await analytics();
    expect(totals).toMatchObject({ people: 5, new_people: 5, returning_people: 0, replies: 5, failed: 0 });
    expect(totals).toMatchObject({ messages: 5, conversations: 5, suppressed: false });
    expect(totals.first_words_ms_p50).toBeGreaterThan(0);
    expect(totals.reply_ms_p95).toBeGreaterThan(0);
    expect(totals.input_tokens).toBeGreaterThan(0);
    expect(series).toHaveLength(7);
    expect(series[0]).toMatchObject({ people: 0, messages: 0, suppressed: false });
    expect(Date.parse(complete_until)).toBeGreaterThan(Date.now() - 60_000);
  });

  test('ignore the owner and throw-away accounts', async () => {
    await talk(ada.token, 2);
    await talkToday(4);
    const young = await app.signUp();
    await talk(young.token);
    await aggregate();
    await endDay();
    expect((await analytics()).totals).toMatchObject({ people: null, messages: 5 });
    await app.db.query(`update users set email_verified = true where id = $1`, [young.id]);
    expect((await analytics()).totals.people).toBe(5);
  });

  test('count failures, regenerated replies and ratings', async () => {
    await talkToday(4);
    const { id, replyId } = await talk(people[4]?.token ?? '');
    const as = people[4]?.token;
    const path = `/v1/conversations/${id}/messages/${replyId}/feedback`;
    expectStatus(await app.call('POST', path, { as, body: { rating: 'down' } }), 200);
    expectStatus(await app.call('POST', path, { as, body: { rating: 'up' } }), 200);
    app.model.script({ endpoint: 'chat', status: 400 });
    await call('POST', `/v1/conversations/${id}/messages`, { content: 'Fail.' }, as);
    await aggregate();
    await endDay();
    const { totals } = await analytics();
    expect(totals).toMatchObject({
      messages: 6,
      replies: 5,
      failed: 1,
      thumbs_up: 1,
      thumbs_down: 0,
      conversations: 5,
    });
  });

  test('are counted once, however often they are aggregated', async () => {
    await talkAll(5);
    await Promise.all([aggregate(), aggregate()]);
    expect((await analytics()).totals).toMatchObject({ messages: 5, people: 5 });
  });

  test('include what an earlier release noted, which did not state the account', async () => {
    await talkToday(4);
    const { id, replyId } = await talk(people[4]?.token ?? '');
    await call('POST', `/v1/conversations/${id}/messages/${replyId}/feedback`, { rating: 'up' }, people[4]?.token);
    await app.db.query(`update studio_notes set user_id = null`);
    await aggregate();
    await endDay();
    expect((await analytics()).totals).toMatchObject({ messages: 5, people: 5, thumbs_up: 1 });
  });

  test('stay when a participant’s account is purged, without a row of the person', async () => {
    const leaving = await app.signUp({ plan: 'plus' });
    await talk(leaving.token);
    await talkAll(5);
    expect((await analytics()).totals).toMatchObject({ people: 6, messages: 6 });
    await app.db.query(`delete from users where id = $1`, [leaving.id]);
    expect((await analytics()).totals).toMatchObject({ people: 5, messages: 6 });
    const rows = await app.db.query(`select from agent_day_users where user_id = $1`, [leaving.id]);
    expect(rows.rowCount).toBe(0);
  });
});

describe('a day', () => {
  test('is shown when it is over', async () => {
    await talkToday(5);
    await aggregate();
    const before = await analytics();
    expect(before.totals).toMatchObject({ people: null, replies: null, messages: 5, suppressed: true });
    expect(before.series.at(-1)).toMatchObject({ date: dayOf(Date.now()), people: null, suppressed: true });
    await endDay();
    expect((await analytics()).totals).toMatchObject({ people: 5, replies: 5, suppressed: false });
  });

  test('that is over is not changed by a rating', async () => {
    const { id, replyId } = await talk(people[5]?.token ?? '');
    await talkAll(5);
    expect((await analytics()).totals).toMatchObject({ people: 6, thumbs_down: 0 });
    await app.db.query(`update messages set created_at = created_at - interval '1 day' where id = $1`, [replyId]);
    const rating = { as: people[5]?.token, body: { rating: 'down' } };
    expectStatus(await app.call('POST', `/v1/conversations/${id}/messages/${replyId}/feedback`, rating), 200);
    await aggregate();
    expect((await analytics()).totals).toMatchObject({ people: 6, thumbs_down: 0 });
  });
});

describe('an aggregation that dies in the middle of a batch', () => {
  test('changes nothing, and the next one counts everything once', async () => {
    await talkToday(5);
    const locker = await app.db.connect();
    await locker.query('begin; lock table agent_day_users in access exclusive mode');
    const aggregation = aggregate().catch((error: unknown) => error);
    const kill = `
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%agent_day_users%'`;
    await eventually(async () => ((await app.db.query(kill)).rowCount ?? 0) > 0, { what: 'the wait for the lock' });
    await locker.query('rollback');
    locker.release();
    await aggregation;
    await aggregate();
    await endDay();
    expect((await analytics()).totals).toMatchObject({ people: 5, messages: 5, replies: 5 });
  });
});

describe('a small group', () => {
  const week = { monday: '2026-11-02', tuesday: '2026-11-03', wednesday: '2026-11-04', sunday: '2026-11-08' };

  test('does not follow from the difference of two periods', async () => {
    await useOn(week.monday, 6);
    await useOn(week.tuesday, 1);
    const one = (await analytics(`from=${week.monday}&to=${week.monday}`)).totals;
    const two = (await analytics(`from=${week.monday}&to=${week.tuesday}`)).totals;
    expect([one.thumbs_down, two.thumbs_down]).toEqual([6, 6]);
    expect([one.people, two.people]).toEqual([6, 6]);
    expect(two.suppressed).toBe(true);
  });

  test('is shown together with the rest of its week, when that is asked for whole', async () => {
    await useOn(week.monday, 3);
    await useOn(week.tuesday, 3, { first: 3 });
    const days = await analytics(`from=${week.monday}&to=${week.sunday}`);
    expect(days.series[0]).toMatchObject({ people: null, suppressed: true });
    expect(days.totals).toMatchObject({ people: 6, thumbs_down: 6 });
    const part = await analytics(`from=${week.monday}&to=${week.tuesday}`);
    expect(part.totals).toMatchObject({ people: null, thumbs_down: null, messages: 6 });
    const weeks = await analytics(`from=${week.wednesday}&to=${week.wednesday}&granularity=week`);
    expect(weeks).toMatchObject({ from: week.monday, to: week.sunday });
    expect(weeks.series).toMatchObject([{ date: week.monday, people: 6, thumbs_down: 6 }]);
  });

  test('is shown with the rest of its week only when the week is over', async () => {
    const at = (day: number) => dayOf(Date.now() - ((new Date().getUTCDay() + 6) % 7) * 86_400_000 + day * 86_400_000);
    await useOn(at(0), 3);
    await useOn(at(1), 3, { first: 3 });
    const { series, totals } = await analytics(`from=${at(0)}&to=${at(6)}&granularity=week`);
    expect(series).toMatchObject([{ date: at(0), people: null, suppressed: true }]);
    expect(totals).toMatchObject({ people: null, thumbs_down: null });
  });

  test('is merged with the smallest shown group in a breakdown, which adds up to the totals', async () => {
    await useOn(week.monday, 6, { version: 1 });
    await useOn(week.monday, 5, { version: 2 });
    await useOn(week.monday, 2, { version: 3 });
    const { breakdown, totals } = await analytics(`from=${week.monday}&to=${week.monday}&by=version`);
    expect(breakdown).toMatchObject([
      { version_number: 1, messages: 6, is_other: false },
      { version_number: null, messages: 7, is_other: true },
    ]);
    expect(totals.messages).toBe(13);
  });
});

describe('a group whose people are purged', () => {
  test('is not left alone in a breakdown', async () => {
    const day = '2026-11-02';
    await useOn(day, 5, { version: 1 });
    await useOn(day, 1, { version: 2 });
    await app.db.query(`delete from agent_day_users where agent_id = $1 and version_number = 2`, [agentId]);
    const { breakdown } = await analytics(`from=${day}&to=${day}&by=version`);
    expect(breakdown).toMatchObject([{ version_number: null, messages: 6, is_other: true }]);
  });
});

describe('the request', () => {
  test('is refused beyond what the plan includes', async () => {
    await app.db.query(`update users set plan = 'free' where id = $1`, [ada.id]);
    const status = async (query: string) => {
      const answer = await call('GET', `/v1/studio/agents/${agentId}/analytics?${query}`);
      return [answer.status, answer.body.error?.code];
    };
    const refused = [403, 'plan_limit_exceeded'];
    expect(await status('from=2020-01-01&to=2020-01-05')).toEqual(refused);
    expect(await status('by=version')).toEqual(refused);
    expect(await status('format=csv')).toEqual(refused);
    expect(await status('')).toEqual([200, undefined]);
    expect((await analytics()).totals.input_tokens).toBeNull();
  });

  test.each([
    ['free', 7],
    ['creator', 365],
  ])('of the plan %s begins at most %i days back, today included', async (plan, days) => {
    await app.db.query(`update users set plan = $2 where id = $1`, [ada.id, plan]);
    const daysAgo = (count: number) => dayOf(Date.now() - count * 86_400_000);
    const status = async (query: string) =>
      (await call('GET', `/v1/studio/agents/${agentId}/analytics?${query}`)).status;
    const first = `from=${daysAgo(days - 1)}&to=${daysAgo(days - 1)}`;
    expect(await status(first)).toBe(200);
    expect(await status(`${first}&granularity=week`)).toBe(200);
    expect(await status(`from=${daysAgo(days)}`)).toBe(403);
    // Without `from`, the period begins six days before its end.
    expect(await status(`to=${daysAgo(days - 7)}`)).toBe(200);
    expect(await status(`to=${daysAgo(days - 6)}`)).toBe(403);
    expect(await status(`from=2020-01-01&to=${daysAgo(0)}`)).toBe(403);
  });

  test.each([
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-11-02&to=2026-11-01', 'to'],
    ['from=2026-11-01&to=2999-01-01', 'from'],
    ['granularity=hour', 'granularity'],
    ['by=person', 'by'],
  ])('is refused with ?%s', async (query, field) => {
    const answer = expectStatus(await call('GET', `/v1/studio/agents/${agentId}/analytics?${query}`), 400);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  test('of another user is 404, also for a public agent', async () => {
    const as = people[0]?.token;
    expect((await call('GET', `/v1/studio/agents/${agentId}/analytics`, undefined, as)).status).toBe(404);
  });

  test('gives the same series as CSV', async () => {
    await talkAll(5);
    const { series } = await analytics();
    const answer = await call('GET', `/v1/studio/agents/${agentId}/analytics?format=csv`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(rowsOf(String(answer.body))).toEqual(series.map(asText));
  });

  test.each(['version', 'source'])('gives the same breakdown by %s as CSV', async (by) => {
    const csv = async () => call('GET', `/v1/studio/agents/${agentId}/analytics?by=${by}&format=csv`);
    const header = String((await csv()).body);
    await talkAll(5);
    const { breakdown } = await analytics(`by=${by}`);
    expect(breakdown).toHaveLength(1);
    const answer = await csv();
    expect(rowsOf(String(answer.body))).toEqual(breakdown.map(asText));
    expect(String(answer.body).startsWith(header)).toBe(true);
    expect(answer.headers.get('content-disposition')).toContain(`analytics-by-${by}-`);
  });
});

function rowsOf(csv: string) {
  const [head = '', ...lines] = csv.trim().split('\n');
  const columns = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, n) => [columns[n] ?? '', cell] as const)));
}

const asText = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? '' : JSON.stringify(value).replaceAll(`"`, '')]),
  );
