import type { Ctx } from './ctx.ts';

const probe = { name: 'database_probe', text: 'select 1' };

/**
 * Runs independent steps one after another. A failed step is logged and does not stop later ones, unless the database
 * does not respond, because then every later step would fail. An abort stops immediately.
 * @throws Error that names the failed steps, after the last step
 * @throws Error that names the step at which the database did not respond
 */
export async function runEach<Step extends { name: string }>(
  ctx: Pick<Ctx, 'log' | 'sql'>,
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
      await ctx.sql(probe).catch(() => {
        throw new Error(`stopped at ${step.name}: the database does not respond`, { cause });
      });
      ctx.log.error({ err: cause, step: step.name }, 'a step failed; continuing with the next');
      failures.push({ name: step.name, cause });
    }
  }
  const [first] = failures;
  if (first) throw new Error(`failed: ${failures.map(({ name }) => name).join(', ')}`, { cause: first.cause });
}
