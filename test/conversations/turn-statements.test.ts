import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

/** Matches statements that do not depend on turns: periodic ones, and those of a new connection of the schedule. */
const atIntervals =
  /^(instance_beat|credentials_invalid|rate_limit_share|SELECT 1|set search_path to 'agenda')$|simulated_customers/;

let app: TestApp;
let ada: Account;
let conversationId: string;
let turns = 0;
const query = vi.spyOn(pg.Client.prototype, 'query');

beforeAll(async () => {
  // A web process, because tasks send statements of their own.
  app = await startTestApp({ env: { ROLE: 'web' } });
  ada = await app.signUp();
  conversationId = (await app.createConversation(ada.token)).id;
  // The first turn requests a title.
  await turn();
});
afterAll(async () => {
  query.mockRestore();
  await app.close();
});

/** Statements of this service only. The process may also run the service that other tests share. */
const sent = (): string[] => {
  const database = new URL(app.databaseUrl).pathname.slice(1);
  const own = query.mock.calls.filter((_, i) => (query.mock.contexts[i] as pg.Client).database === database);
  return own.map(([statement]) => {
    const given = statement as unknown as string | { name?: string; text: string };
    return typeof given === 'string' ? given : (given.name ?? given.text);
  });
};

/** Streams a turn and returns its statements in the order of their start. */
async function turn(): Promise<string[]> {
  query.mockClear();
  // A unique text, because a repeated one could count as a retry.
  const body = { content: `Why is ${turns++} so?` };
  const events = app.stream(`/v1/conversations/${conversationId}/messages/stream`, { as: ada.token, body });
  for await (const { event } of events) expect(event).not.toBe('error');
  await eventually(() => sent().includes('generation_delivered'), { what: 'the delivery' });
  return sent().filter((name) => !atIntervals.test(name));
}

/** Repeats a turn until it ends before its first checkpoint, for which a loaded machine may be too slow at first. */
async function shortTurn(): Promise<string[]> {
  const statements = await turn();
  return statements.includes('generation_checkpoint') ? shortTurn() : statements;
}

const admitted = ['session_find', 'rate_limit_add'];
const accepted = [
  'begin',
  'conversation_lock',
  'conversation_to_send',
  'turn_last',
  'message_append',
  'quota_charge',
  'generation_insert',
  'commit',
];

describe('a streamed turn of an account without webhooks', () => {
  test('takes thirteen statements, of which eight are one transaction in two packets and each other one a transaction', async () => {
    expect(await shortTurn()).toEqual([
      ...admitted,
      ...accepted,
      'generation_prompt',
      'generation_complete',
      'generation_delivered',
    ]);
  });

  test('takes one statement more every 250 ms, and a transaction for its end', async () => {
    app.model.script({ deltas: ['It', ' is', ' so', ' because', ' it', ' was.'], deltaDelayMs: 100 });
    const statements = await turn();
    expect(statements.filter((name) => name === 'generation_checkpoint').length).toBeGreaterThan(0);
    expect(statements.filter((name) => name !== 'generation_checkpoint')).toEqual([
      ...admitted,
      ...accepted,
      'generation_prompt',
      'begin',
      'generation_complete',
      'generation_deltas_drop',
      'commit',
      'generation_delivered',
    ]);
  });
});

describe('a process', () => {
  test('notifies no other one while it is alone', async () => {
    await turn();
    const wake = vi.fn();
    const stop = app.app.newCtx({ kind: 'system' }).ports.wakes.onWake(`outbox:${ada.id}`, wake);
    await turn();
    await eventually(() => wake.mock.calls.length >= 2, { what: 'the wake-ups of this process' });
    stop();
    expect(sent()).not.toContain('tasks_notify');
  });

  test('notifies the others as soon as one has started', async () => {
    const other = await startTestApp({ env: { ROLE: 'web' }, databaseUrl: app.databaseUrl });
    const wake = vi.fn();
    const stop = other.app.newCtx({ kind: 'system' }).ports.wakes.onWake(`outbox:${ada.id}`, wake);
    try {
      await turn();
      await eventually(() => wake.mock.calls.length > 0, { what: 'the notification' });
      expect(sent()).toContain('tasks_notify');
    } finally {
      stop();
      await other.close();
    }
  });
});
