import type { Job } from '../../jobs/job.ts';
import type { Telemetry } from '../core/telemetry.ts';

/** The jobs, each attempt at a task of which is told to the telemetry. */
export const observedJobs = (jobs: readonly Job[], telemetry: Telemetry): Job[] =>
  jobs.map((job) => ({
    ...job,
    handle: (ctx, payload, run) => telemetry.observeTask(job.kind, run.attempt, () => job.handle(ctx, payload, run)),
  }));
