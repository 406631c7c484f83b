import type { Ctx } from '../../core/ctx.ts';
import type { Experiment, ExperimentMetric } from './experiment.entity.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long after the first exposure a person can succeed. */
export const windowMs: Readonly<Record<ExperimentMetric, number>> = { continued: dayMs, returned: 7 * dayMs };

/** Whether an experiment has run for as long as its owner asked. */
export const isOldEnough = (ctx: Ctx, { startedAt, endedAt, minDays }: Experiment): boolean =>
  !!startedAt && (endedAt ?? ctx.clock.now()).getTime() - startedAt.getTime() >= minDays * dayMs;
