import { type Arm, compareArms, contradictsWeights, type Difference } from './statistics.ts';

/**
 * The verdicts on an experiment.
 * - `collecting`: there is too little data, or the minimum duration is not over.
 * - `no_difference_yet`: no challenger differs significantly from the control.
 * - `better`: a challenger beats the control.
 * - `worse`: the control beats every challenger.
 * - `invalid`: the split of people contradicts the weights.
 */
export const verdicts = ['collecting', 'no_difference_yet', 'better', 'worse', 'invalid'] as const;
export type Verdict = (typeof verdicts)[number];

export interface JudgedArm extends Arm {
  key: string;
  weight: number;
  /** Number of people exposed to the variant, including those whose window is still open. */
  exposed: number;
}

interface Rules {
  expectedPeople: number;
  /** Whether the minimum duration of the experiment is over. */
  isOldEnough: boolean;
}

export interface Judgement {
  verdict: Verdict;
  /** Key of the variant to keep; null unless the verdict is `better` or `worse`. */
  best: string | null;
  /** Differences from the control, by challenger. Empty until every variant has enough people. */
  differences: ReadonlyMap<string, Difference>;
}

/** Minimum number of people in each variant before rates are compared and shown. */
export const minPeople = 100;
const alpha = 0.05;

/**
 * Judges the variants; the first one is the control. The error rate of 5 % holds over any number of looks and over all
 * challengers together.
 */
export function judge(arms: readonly JudgedArm[], { expectedPeople, isOldEnough }: Rules): Judgement {
  const [control, ...challengers] = arms;
  const differences = new Map<string, Difference>();
  const decided = (verdict: Verdict, best: string | null = null): Judgement => ({ verdict, best, differences });
  if (!control) return decided('collecting');
  const isMismatch = contradictsWeights(
    arms.map(({ exposed }) => exposed),
    arms.map(({ weight }) => weight / 100),
  );
  const isEnough = arms.every(({ people }) => people >= minPeople);
  if (isEnough)
    for (const challenger of challengers) {
      const difference = compareArms(control, challenger, { alpha: alpha / challengers.length, expectedPeople });
      if (difference) differences.set(challenger.key, difference);
    }
  if (isMismatch) return decided('invalid');
  if (!isEnough || !isOldEnough) return decided('collecting');
  const found = [...differences];
  const winners = found.filter(([, { low }]) => low > 0).toSorted(([, a], [, b]) => b.difference - a.difference);
  if (winners[0]) return decided('better', winners[0][0]);
  if (found.every(([, { high }]) => high < 0)) return decided('worse', control.key);
  return decided('no_difference_yet');
}

const guardrailAlpha = 0.01;
const guardrailReplies = 50;
const guardrailDifference = 0.1;
/** Number of replies at which the guardrail's interval is narrowest; low, so that failures are detected early. */
const guardrailTuning = 200;

export interface ReplyCounts {
  key: string;
  replies: number;
  failed: number;
}

/**
 * Returns the key of the first challenger whose failure rate is at least 10 percentage points above the control's with
 * 99 % confidence, or null.
 */
export function failingVariant([control, ...challengers]: readonly ReplyCounts[]): string | null {
  const armOf = ({ replies, failed }: ReplyCounts): Arm => ({ people: replies, successes: failed });
  const failing = challengers.find((challenger) => {
    if (!control || control.replies < guardrailReplies || challenger.replies < guardrailReplies) return false;
    const tuning = { alpha: guardrailAlpha, expectedPeople: guardrailTuning };
    const found = compareArms(armOf(control), armOf(challenger), tuning);
    return found !== null && found.difference >= guardrailDifference && found.low > 0;
  });
  return failing?.key ?? null;
}
