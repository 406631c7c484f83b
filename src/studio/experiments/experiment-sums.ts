import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { emptyHistogram } from '../analytics/histogram.ts';
import { ExperimentSum } from './experiment-sum.entity.ts';
import type { Experiment } from './experiment.entity.ts';

const select = {
  name: 'experiment_sums_get',
  text: `select ${columnsOf(ExperimentSum, 's')} from experiment_sums s where s.experiment_id = $1`,
};

export type SummedVariant = Omit<
  { [Field in keyof ExperimentSum]: ExperimentSum[Field] },
  'experimentId' | 'variant' | 'firstWords' | 'replyTimes'
> & {
  key: string;
  versionId: string;
  weight: number;
  /** Histograms of latencies. */
  firstWords: readonly number[];
  replyTimes: readonly number[];
};

/** Returns the sums of each variant, the control first. */
export async function readSums(
  ctx: Ctx,
  { id, variants }: Pick<Experiment, 'id' | 'variants'>,
): Promise<SummedVariant[]> {
  const sums = await ctx.sql<ExperimentSum>(select, [id]);
  return variants.map(({ key, versionId, weight }) => {
    const sum = sums.find(({ variant }) => variant === key);
    return {
      key,
      versionId,
      weight,
      exposed: sum?.exposed ?? 0,
      people: sum?.people ?? 0,
      successes: sum?.successes ?? 0,
      replies: sum?.replies ?? 0,
      failed: sum?.failed ?? 0,
      thumbsUp: sum?.thumbsUp ?? 0,
      thumbsDown: sum?.thumbsDown ?? 0,
      firstWords: sum?.firstWords ?? emptyHistogram(),
      replyTimes: sum?.replyTimes ?? emptyHistogram(),
    };
  });
}
