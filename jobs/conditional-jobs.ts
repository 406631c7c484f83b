import type { Ctx } from '../src/core/ctx.ts';
import type { Job } from '../src/core/tasks/job.ts';
import { writeTask } from '../src/core/tasks/tasks.ts';

/** Jobs that are enqueued while an SQL condition holds. */
export interface ConditionalJobs {
  /** All jobs in the form that the schedule needs: conditional ones without their interval. */
  scheduled: readonly Pick<Job, 'kind' | 'everyMs'>[];
  /**
   * Enqueues each job whose condition holds and whose interval has passed since this process last enqueued it. Returns
   * the milliseconds until the intervals of the other jobs with a true condition end.
   */
  enqueue(): Promise<number[]>;
}

/** Creates the conditional jobs. A single statement evaluates all conditions. */
export function createConditionalJobs(jobs: readonly Job[], newCtx: () => Ctx): ConditionalJobs {
  const conditional = conditionalOf(jobs);
  const enqueuedAtMs = new Map<string, number>();
  const evaluate = evaluationOf(jobs);

  async function enqueue(): Promise<number[]> {
    if (conditional.length === 0) return [];
    const ctx = newCtx();
    const [holds = {}] = await ctx.sql<Record<string, boolean>>(evaluate);
    const waits: number[] = [];
    for (const [i, { kind, everyMs }] of conditional.entries()) {
      if (!holds[i]) continue;
      const waitMs = (enqueuedAtMs.get(kind) ?? -Infinity) + everyMs - performance.now();
      if (waitMs > 0) waits.push(waitMs);
      else {
        enqueuedAtMs.set(kind, performance.now());
        await writeTask(ctx, kind, {}, { key: 'recurring' });
      }
    }
    return waits;
  }

  return { scheduled: jobs.map((job) => (job.when ? { kind: job.kind } : job)), enqueue };
}

const conditionalOf = (jobs: readonly Job[]) =>
  jobs.flatMap(({ kind, when, everyMs }) => (when && everyMs ? [{ kind, when, everyMs }] : []));

/** Returns the statement that evaluates the conditions of all jobs. */
export const evaluationOf = (jobs: readonly Job[]): { name: string; text: string } => ({
  name: 'jobs_evaluate',
  text: `select ${conditionalOf(jobs)
    .map(({ when }, i) => `${when} as "${i}"`)
    .join(', ')}`,
});
