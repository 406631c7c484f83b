import type { ExperimentFieldsFragment, ExperimentResultsQuery } from '../api/generated/operations.ts';
import { texts } from './texts.ts';

type Results = ExperimentResultsQuery['experimentResults'];

const points = (share: number): string => {
  const value = Math.abs(share * 100);
  const text = value.toLocaleString(undefined, { maximumFractionDigits: 1 });
  return texts.percentagePoints(text);
};

/** Describes the results of an experiment: the conclusion first, then its certainty. */
export function verdictText(results: Results, { minDays }: Pick<ExperimentFieldsFragment, 'minDays'>): string {
  const best = results.variants.find(({ key }) => key === results.best);
  switch (results.verdict) {
    case 'BETTER':
      return texts.variantBetterThanControl(results.best ?? '', range(best));
    case 'WORSE':
      return texts.controlBetterThanEvery;
    case 'NO_DIFFERENCE_YET':
      return texts.noDifferenceSeenYet;
    case 'INVALID':
      return texts.peopleNotSplitWeights;
    case 'COLLECTING':
      return texts.tooEarlyTellVerdict(minDays);
  }
}

/** "31 to 38 percentage points more people succeed, at 95 % confidence". */
function range(variant: Results['variants'][number] | undefined): string {
  const [low, high] = variant?.interval ?? [];
  if (low === undefined || high === undefined) return texts.morePeopleSucceed;
  return texts.betweenMorePeopleSucceed(points(low), points(high));
}

/** Formats the confidence interval of a difference for the table. */
export function intervalText(interval: readonly number[] | null | undefined): string {
  const [low, high] = interval ?? [];
  if (low === undefined || high === undefined) return '–';
  const signed = (share: number): string => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`;
  return texts.pointsRange(signed(low), signed(high));
}
