import { expect, onTestFinished, test, vi } from 'vitest';
import { offline } from '../../../web/src/api/api-error.ts';
import { sendOnce } from '../../../web/src/api/send-once.ts';

const bodyOf = (token: string): string =>
  JSON.stringify({ query: 'mutation Connect($token: String!) { connect(token: $token) }', variables: { token } });

/** Sends a mutation, with or without a response, and returns its idempotency key. */
async function keyOf(token: string, isAnswered: boolean): Promise<string> {
  let sent = '';
  const answer = sendOnce(bodyOf(token), (key) => {
    sent = key;
    return isAnswered ? Promise.resolve() : Promise.reject(offline());
  });
  await answer.catch(() => undefined);
  return sent;
}

test('a mutation without a response is sent again under its key, and its variables are not kept', async () => {
  const kept = vi.spyOn(Map.prototype, 'set');
  onTestFinished(() => kept.mockRestore());
  const first = await keyOf('secret-of-a-bot', false);
  expect(JSON.stringify(kept.mock.calls)).toContain(first);
  expect(JSON.stringify(kept.mock.calls)).not.toContain('secret-of-a-bot');
  expect(await keyOf('secret-of-a-bot', false)).toBe(first);
  expect(await keyOf('secret-of-a-bot', true)).toBe(first);
  expect(await keyOf('secret-of-a-bot', true)).not.toBe(first);
});

test('a mutation that succeeded with other variables since is no retry', async () => {
  const first = await keyOf('secret-of-a-bot', false);
  await keyOf('secret-of-another-bot', true);
  expect(await keyOf('secret-of-a-bot', true)).not.toBe(first);
});
