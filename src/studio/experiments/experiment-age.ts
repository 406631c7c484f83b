import type { Ctx } from '../../core/ctx.ts';
import type { Experiment, ExperimentMetric } from './experiment.entity.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Length of the window after the first exposure in which a person can succeed, in milliseconds. */
export const windowMs: Readonly<Record<ExperimentMetric, number>> = { continued: dayMs, returned: 7 * dayMs };

/** Returns whether an experiment has run for its minimum number of days. */
export const isOldEnough = (ctx: Ctx, { startedAt, endedAt, minDays }: Experiment): boolean =>
  !!startedAt && (endedAt ?? ctx.clock.now()).getTime() - startedAt.getTime() >= minDays * dayMs;
