import type { Ctx } from '../ctx.ts';
import { type TaskAttempt, leaseLost, stopping, timedOut } from './task-attempt.ts';
import { describeError } from './task-errors.ts';
import { extendLeases } from './task-leases.ts';

/**
 * Extends the leases of the running attempts of one kind, and aborts those that have timed out or lost their lease.
 * Never throws.
 */
export async function extendAttempts(
  { sql, log }: Ctx,
  kind: string,
  attempts: ReadonlySet<TaskAttempt>,
  leaseMs: number,
): Promise<void> {
  for (const attempt of attempts) if (performance.now() > attempt.deadlineMs) attempt.controller.abort(timedOut);
  // Leases of aborted attempts are not extended: a handler that ignores its signal loses the task.
  const alive = [...attempts].filter(
    ({ completed, controller: { signal } }) => !completed && (!signal.aborted || signal.reason === stopping),
  );
  if (alive.length === 0) return;
  const leaseEndsMs = performance.now() + leaseMs;
  try {
    const held = await extendLeases(
      sql,
      alive.map((attempt) => attempt.task),
      leaseMs,
    );
    for (const attempt of alive) {
      if (held.has(attempt.task.id)) attempt.leaseEndsMs = leaseEndsMs;
      else if (attempts.has(attempt) && !attempt.completed) attempt.controller.abort(leaseLost);
    }
  } catch (error) {
    log.warn({ task: kind, error: describeError(error) }, 'could not extend leases');
    for (const attempt of alive) if (attempt.leaseEndsMs <= performance.now()) attempt.controller.abort(leaseLost);
  }
}
