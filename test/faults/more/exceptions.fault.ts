import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SseEvent } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { findViolations } from '../../support/invariants.ts';
import { type FaultHarness, openFaultHarness } from './fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

const always = ':1=throw';

test.each([
  ['a resolver, by REST', 'agents_listed', 'GET', '/v1/agents', undefined],
  ['a resolver, by GraphQL', 'agents_listed', 'POST', '/graphql', { query: '{ agents { total } }' }],
  ['a route', 'export_sent', 'GET', '/v1/conversations/ID/export', undefined],
] as const)(
  'returns internal_error without details after an exception in %s, and stays alive',
  async (_where, point, method, path, body) => {
    const service = await harness.start({}, { failpoint: point + always });
    const ada = await service.signUp();
    const { id } = await service.createConversation(ada.token);
    const headers = { 'x-request-id': `fault-${point}` };
    const answer = await service.call(method, path.replace('ID', id), { as: ada.token, body, headers });
    const text = JSON.stringify(answer.body);
    expect(text).toMatch(/internal_error/i);
    expect(text).not.toMatch(/failpoint|secret|TypeError|\.js|at \w+ \(/);
    if (path !== '/graphql') expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error']);
    expect(answer.headers.get('x-request-id')).toBe(`fault-${point}`);
    await eventually(() => service.log().includes(`fault-${point}`), { what: 'the request id in the log' });
    expect(service.log()).toContain('failpoint');
    expect((await service.call('GET', '/v1/auth/me', { as: ada.token })).status).toBe(200);
  },
);

test.each([
  ['in the middle of a stream', 'stream_followed:2=throw'],
  ['while the reply is written', 'generation_first_delta:2=throw'],
])('ends a stream with an error event after an exception %s, and stays alive', async (_where, point) => {
  const service = await harness.start({}, { failpoint: point });
  const ada = await service.signUp();
  const { id } = await service.createConversation(ada.token);
  harness.model.script({ when: 'Count', deltas: ['One, ', 'two, ', 'three.'], deltaDelayMs: 150 });
  const events: SseEvent[] = [];
  const path = `/v1/conversations/${id}/messages/stream`;
  for await (const event of service.stream(path, { as: ada.token, body: { content: 'Count' } })) events.push(event);
  expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'internal_error' } });
  expect(JSON.stringify(events)).not.toMatch(/failpoint|secret|TypeError/);
  await eventually(() => service.log().includes('failpoint'), { what: 'the log of it' });
  expect((await service.call('GET', '/v1/auth/me', { as: ada.token })).status).toBe(200);
  await eventually(
    async () => (await harness.db.query(`select 1 from generations where state = 'running'`)).rowCount === 0,
  );
  expect(await findViolations(harness.db)).toEqual({});
});
