import { type Arm, compareArms, contradictsWeights, type Difference } from './statistics.ts';

/**
 * `collecting`: too early. `no_difference_yet`: every difference may be zero. `better`: a challenger beats the control.
 * `worse`: the control beats every challenger. `invalid`: the people are not split as the weights say.
 */
export const verdicts = ['collecting', 'no_difference_yet', 'better', 'worse', 'invalid'] as const;
export type Verdict = (typeof verdicts)[number];

export interface JudgedArm extends Arm {
  key: string;
  weight: number;
  /** People who met the variant, those whose window is still open included. */
  exposed: number;
}

interface Rules {
  expectedPeople: number;
  /** Whether the experiment has run for as long as it must. */
  isOldEnough: boolean;
}

export interface Judgement {
  verdict: Verdict;
  /** The variant to keep; null without a verdict for one. */
  best: string | null;
  /** By variant; null for the control and before there is enough. */
  differences: ReadonlyMap<string, Difference>;
}

/** People of each variant before its rate is shown. */
export const leastPeople = 100;
const alpha = 0.05;

/** Judges the variants, the control first. The error rate holds at any number of looks and over all challengers together. */
export function judge(arms: readonly JudgedArm[], { expectedPeople, isOldEnough }: Rules): Judgement {
  const [control, ...challengers] = arms;
  const differences = new Map<string, Difference>();
  const decided = (verdict: Verdict, best: string | null = null): Judgement => ({ verdict, best, differences });
  if (!control) return decided('collecting');
  const isMismatch = contradictsWeights(
    arms.map(({ exposed }) => exposed),
    arms.map(({ weight }) => weight / 100),
  );
  const isEnough = arms.every(({ people }) => people >= leastPeople);
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
/** For how many replies the interval of the guardrail is narrowest: soon after there are enough. */
const guardrailTuning = 200;

export interface ReplyCounts {
  key: string;
  replies: number;
  failed: number;
}

/** The first challenger whose replies fail so much more often than the control's that it must not go on; null when none does. */
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
