import { catalog } from '../../src/app/features.ts';
import type { Ctx } from '../../src/core/ctx.ts';
import type { Job } from '../../src/core/tasks/job.ts';
import { runDueTasks } from '../../src/core/tasks/task-runner.ts';
import { type TaskKind, writeTask } from '../../src/core/tasks/tasks.ts';
import { eventually } from './eventually.ts';

/** The job that a feature declares for a kind of task. */
export function jobOf(kind: TaskKind): Job {
  const job = catalog.jobs.find((candidate) => candidate.kind === kind);
  if (!job) throw new Error(`no feature declares the job ${kind}`);
  return job as Job;
}

/** Enqueues a recurring task as the schedule does and runs it to its end. */
export async function runRecurring(kind: TaskKind, newCtx: () => Ctx): Promise<void> {
  await writeTask(newCtx(), kind, {}, { key: 'recurring' });
  await runDueTasks([jobOf(kind)], { newCtx });
  // A worker of the service may have claimed it.
  const { pool } = newCtx();
  await eventually(async () => (await pool.query(unfinished, [kind])).rowCount === 0, { what: `the end of ${kind}` });
}

const unfinished = `
  select from tasks where kind = $1 and key = 'recurring' and state = 'pending' and (lease_token is not null or run_at <= now())`;
