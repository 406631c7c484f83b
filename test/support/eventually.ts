import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `check` returns something other than false, null or undefined, and returns that. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  { timeoutMs = 40_000, what = 'the condition' }: { timeoutMs?: number; what?: string } = {},
): Promise<NonNullable<Result>> {
  const deadline = performance.now() + timeoutMs;
  // Back off: a check is often a request, and frequent ones would slow down what the test waits for.
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 60)) {
    const result = await check();
    if (result !== false && result !== null && result !== undefined) return result;
    if (performance.now() > deadline) throw new Error(`${what}: not true after ${timeoutMs} ms`);
    await sleep(pauseMs);
  }
}
