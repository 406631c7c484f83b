import { expect, test, vi } from 'vitest';
import { AppError } from '../../src/core/errors.ts';
import { runEach } from '../../src/core/run-each.ts';

const { signal } = new AbortController();
const steps = [{ name: 'keys' }, { name: 'mails' }, { name: 'files' }];

/** Runs the steps; `mails` throws. Returns the error, the steps that ran, and how many failures were logged. */
async function run(failure: unknown) {
  const error = vi.fn();
  const ran: string[] = [];
  const ended = await runEach({ log: { error } as never }, steps, signal, async ({ name }) => {
    ran.push(name);
    if (name === 'mails') throw failure;
  }).catch((thrown: unknown) => thrown);
  return { ended, ran, logged: error.mock.calls.length };
}

test('a failed step is logged, stops no later one, and is named at the end', async () => {
  const { ended, ran, logged } = await run(new Error('full'));
  expect(ran).toEqual(['keys', 'mails', 'files']);
  expect(logged).toBe(1);
  expect((ended as Error).message).toBe('failed: mails');
});

test('a database that is unavailable stops the steps, and is not logged for each', async () => {
  const { ended, ran, logged } = await run(new Error('connect ECONNREFUSED 127.0.0.1:5432'));
  expect(ran).toEqual(['keys', 'mails']);
  expect(logged).toBe(0);
  expect(ended).toBeInstanceOf(AppError);
  expect(ended).toMatchObject({ code: 'unavailable' });
});
