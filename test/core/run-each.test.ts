import { expect, test, vi } from 'vitest';
import { runEach } from '../../src/core/run-each.ts';

const { signal } = new AbortController();
const steps = [{ name: 'keys' }, { name: 'mails' }, { name: 'files' }];
const unavailable = new Error('connect ECONNREFUSED 127.0.0.1:5432');

/** Runs the steps; `mails` throws. Returns the error, the steps that ran, and how many failures were logged. */
async function run(failure: Error, isDatabaseUp: boolean) {
  const error = vi.fn();
  const ran: string[] = [];
  const sql = async () => (isDatabaseUp ? [] : Promise.reject(unavailable));
  const ended = await runEach({ log: { error } as never, sql: sql as never }, steps, signal, async ({ name }) => {
    ran.push(name);
    if (name === 'mails') throw failure;
  }).catch((thrown: unknown) => thrown);
  return { ended: ended as Error, ran, logged: error.mock.calls.length };
}

test('a failed step is logged, stops no later one, and is named at the end', async () => {
  // A file store that is down fails as a database would.
  const { ended, ran, logged } = await run(unavailable, true);
  expect(ran).toEqual(['keys', 'mails', 'files']);
  expect(logged).toBe(1);
  expect(ended.message).toBe('failed: mails');
});

test('a database that does not respond stops the steps, and is not logged for each', async () => {
  const { ended, ran, logged } = await run(unavailable, false);
  expect(ran).toEqual(['keys', 'mails']);
  expect(logged).toBe(0);
  expect(ended.message).toContain('stopped at mails');
  expect(ended.cause).toBe(unavailable);
});
