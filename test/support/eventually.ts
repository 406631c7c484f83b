import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `check` answers something other than false, null or undefined, and answers that. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  { timeoutMs = 20_000, what = 'the condition' }: { timeoutMs?: number; what?: string } = {},
): Promise<NonNullable<Result>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result !== false && result !== null && result !== undefined) return result;
    if (performance.now() > deadline) throw new Error(`${what} did not come true within ${timeoutMs} ms`);
    await sleep(5);
  }
}
