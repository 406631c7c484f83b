import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { aggregateStudioNotes } from '../../src/studio/analytics/aggregate-notes.ts';
import { firstSums } from '../support/agent-use.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { asAgent, createRoom, settledTurns, type TestRoom } from '../support/rooms.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  await firstSums(app);
});
afterEach(() => app.model.reset());
afterAll(() => app.close());

/** Completes the day and returns the figures of a room's agent by source. */
async function figuresOf(room: TestRoom, name: string) {
  const agentId = room.agents.find((agent) => agent.name === name)!.id;
  await settledTurns(app, room.id, room.people[0]!);
  await aggregateStudioNotes(app.app.newCtx({ kind: 'system' }), new AbortController().signal);
  for (const table of ['agent_days', 'agent_day_users'])
    await app.db.query(`update ${table} set day = day - 1 where agent_id = $1`, [agentId]);
  const path = `/v1/studio/agents/${agentId}/analytics?by=source`;
  return expectStatus(await app.call('GET', path, { as: room.people[0]!.token }), 200).body;
}

test('replies in rooms count with the source room: people who caused them, messages, failures and time', async () => {
  const room = await createRoom(app, { people: 5, agents: ['Ada', 'Bob'], settings: { agent_hops: 1 } });
  const [owner, ...guests] = room.people as [Account, ...Account[]];
  app.model.script({ when: asAgent('Ada'), deltas: ['Ask @Bob.'], times: 5 });
  for (const guest of guests) {
    await room.post(guest, '@Ada?');
    await settledTurns(app, room.id, guest);
  }
  await room.post(owner, '@Ada?');
  await settledTurns(app, room.id, owner);
  app.model.script({ when: asAgent('Ada'), status: 400 });
  await room.post(guests[0]!, '@Ada?');
  const ada = await figuresOf(room, 'Ada');
  expect(ada.totals).toMatchObject({ people: 5, messages: 6, replies: 5, failed: 1, conversations: 0 });
  expect(ada.totals.reply_ms_p95).toBeGreaterThan(0);
  expect(ada.breakdown).toMatchObject([{ source: 'room', messages: 6, replies: 5, failed: 1 }]);
  // Only Ada, an agent, addressed Bob, so Bob has replies for five people, but none of their messages.
  expect((await figuresOf(room, 'Bob')).totals).toMatchObject({ people: 5, messages: 0, replies: 5 });
});

test('figures of a room with four people are withheld, also when the room’s owner pays', async () => {
  const room = await createRoom(app, { people: 4, agents: ['Ada'], settings: { payer: 'owner' } });
  for (const guest of room.people.slice(1)) await room.post(guest, '@Ada?');
  const { totals, breakdown } = await figuresOf(room, 'Ada');
  expect(totals).toMatchObject({ people: null, replies: null, messages: 4, suppressed: true });
  expect(breakdown).toEqual([]);
});

test('a turn that never ran is no attempt', async () => {
  const room = await createRoom(app, { people: 1, agents: ['Ada', 'Bob'], settings: { reply_mode: 'all' } });
  const guest = room.people[1]!;
  app.model.script({ when: asAgent('Ada'), fault: { kind: 'hang', after: 'before_headers' } });
  await room.post(guest, 'Anyone?');
  await eventually(() => app.model.requests.some(({ body }) => asAgent('Ada')(body)));
  expectStatus(await app.call('POST', `/v1/rooms/${room.id}/stop`, { as: guest.token }), 200);
  expect((await figuresOf(room, 'Ada')).totals.messages).toBe(1);
  expect((await figuresOf(room, 'Bob')).totals.messages).toBe(0);
});
