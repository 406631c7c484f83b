import type { Ctx } from './ctx.ts';
import { asUnavailable } from './database/database-errors.ts';

/**
 * Runs independent steps one after another. A failed step is logged and does not stop later ones. An abort stops
 * immediately, and so does a database that is unavailable, because every later step would fail.
 * @throws Error that names the failed steps, after the last step
 * @throws AppError `unavailable`
 */
export async function runEach<Step extends { name: string }>(
  ctx: Pick<Ctx, 'log'>,
  steps: readonly Step[],
  signal: AbortSignal,
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const failures: { name: string; cause: unknown }[] = [];
  for (const step of steps) {
    signal.throwIfAborted();
    try {
      await run(step);
    } catch (cause) {
      signal.throwIfAborted();
      const known = asUnavailable(cause);
      if (known !== cause) throw known;
      ctx.log.error({ err: cause, step: step.name }, 'a step failed; those behind it run');
      failures.push({ name: step.name, cause });
    }
  }
  const [first] = failures;
  if (first) throw new Error(`failed: ${failures.map(({ name }) => name).join(', ')}`, { cause: first.cause });
}
