import type { Ctx } from '../../core/ctx.ts';
import { latencyOf } from '../analytics/histogram.ts';
import { minGroupSize, personCounts } from '../analytics/counted-person.ts';
import type { Experiment } from './experiment.entity.ts';
import { isOldEnough } from './experiment-age.ts';
import { readSums, type SummedVariant } from './experiment-sums.ts';
import { getExperiment } from './experiments.ts';
import { judge, type Judgement, minPeople, type Verdict } from './judge.ts';

/** Results of an experiment. Values that rest on too few people are null. */
export interface ExperimentResults {
  experimentId: string;
  verdict: Verdict;
  /** Key of the variant to keep, if the verdict names one. */
  best: string | null;
  /** People counted so far as a share of the expected people, at most 1. */
  progress: number;
  variants: VariantResults[];
  sampleRatio: { ok: boolean; expected: number[]; observed: number[] | null };
  warnings: ResultWarning[];
  computedAt: Date;
}

export interface VariantResults {
  key: string;
  versionId: string;
  people: number | null;
  successes: number | null;
  rate: number | null;
  /** The variant's rate minus the control's; `interval` is its confidence interval. */
  difference: number | null;
  interval: [number, number] | null;
  replies: number | null;
  failed: number | null;
  thumbsUp: number | null;
  thumbsDown: number | null;
  firstWordsMsP50: number | null;
  firstWordsMsP95: number | null;
  replyMsP50: number | null;
  replyMsP95: number | null;
}

export const resultWarnings = ['sample_ratio_mismatch', 'past_expected_people', 'more_failures'] as const;
export type ResultWarning = (typeof resultWarnings)[number];

// Counted by variant: an owner could otherwise fill a variant with accounts of their own and single out a person.
const countGroups = {
  name: 'experiment_countable_groups',
  text: `
    select count(*) as groups from unnest($3::text[]) v (variant) cross join lateral (
      select count(*) as people from (
        select from experiment_exposures e join users u on u.id = e.user_id
        where e.experiment_id = $1 and e.variant = v.variant and ${personCounts('e.subject', 'u', '$2')} limit ${minGroupSize}
      ) persons
    ) c where c.people = ${minGroupSize}`,
};

/**
 * Returns the current results of one of the caller's experiments. They are statistically valid at every look.
 * @throws AppError `not_found`
 */
export async function getResults(ctx: Ctx, id: string): Promise<ExperimentResults> {
  const experiment = await getExperiment(ctx, id);
  const [sums, [counted]] = await Promise.all([
    readSums(ctx, experiment),
    ctx.sql<{ groups: number }>(countGroups, [id, ctx.clock.now(), experiment.variants.map(({ key }) => key)]),
  ]);
  const { expectedPeople } = experiment;
  const judgement = judge(sums, { expectedPeople, isOldEnough: isOldEnough(ctx, experiment) });
  const isGroup = counted?.groups === sums.length && sums.every((arm) => arm.people >= minGroupSize);
  const people = sums.reduce((sum, arm) => sum + arm.people, 0);
  return {
    experimentId: id,
    verdict: judgement.verdict,
    best: judgement.best,
    // Hidden for small groups, because the number of people follows from the progress.
    progress: isGroup ? Math.min(people / expectedPeople, 1) : 0,
    variants: sums.map((arm) => variantResults(arm, judgement, isGroup)),
    sampleRatio: {
      ok: judgement.verdict !== 'invalid',
      expected: sums.map(({ weight }) => weight / 100),
      observed: isGroup ? sharesOf(sums.map(({ exposed }) => exposed)) : null,
    },
    warnings: warningsOf(experiment, sums, judgement),
    computedAt: ctx.clock.now(),
  };
}

function variantResults(arm: SummedVariant, { differences }: Judgement, isGroup: boolean): VariantResults {
  const { key, versionId, people, successes, replies, failed, thumbsUp, thumbsDown } = arm;
  const isShown = isGroup && people >= minPeople;
  const found = isShown ? differences.get(key) : undefined;
  const shown = (count: number): number | null => (isShown ? count : null);
  return {
    key,
    versionId,
    people: isGroup ? people : null,
    successes: shown(successes),
    rate: shown(successes / people),
    difference: found?.difference ?? null,
    interval: found ? [found.low, found.high] : null,
    replies: shown(replies),
    failed: shown(failed),
    thumbsUp: shown(thumbsUp),
    thumbsDown: shown(thumbsDown),
    ...latencyOf(isShown ? arm : noLatency),
  };
}

const noLatency = { firstWords: [], replyTimes: [] };

function sharesOf(counts: readonly number[]): number[] | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total === 0 ? null : counts.map((count) => count / total);
}

/** Difference of failure rates, as a share, from which a challenger gets a warning. */
const failurePoints = 0.05;
const failureReplies = 50;

function warningsOf(
  { expectedPeople }: Experiment,
  sums: readonly SummedVariant[],
  { verdict }: Judgement,
): ResultWarning[] {
  const people = sums.reduce((sum, arm) => sum + arm.people, 0);
  const failureShare = ({ replies, failed }: SummedVariant) =>
    replies + failed < failureReplies ? 0 : failed / (replies + failed);
  const [control, ...challengers] = sums.map(failureShare);
  const fails = challengers.some((share) => share - (control ?? 0) >= failurePoints);
  const isPast = people > expectedPeople && verdict === 'no_difference_yet';
  const warnings: (ResultWarning | false)[] = [
    verdict === 'invalid' && 'sample_ratio_mismatch',
    isPast && 'past_expected_people',
    fails && sums.every((arm) => arm.people >= minPeople) && 'more_failures',
  ];
  return warnings.filter((warning) => warning !== false);
}
