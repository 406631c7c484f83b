/**
 * Statistics for experiments. They are valid at every look: checking results daily does not raise the error rate.
 *
 * The interval is an asymptotic confidence sequence: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform
 * central limit theory and asymptotic confidence sequences", equation 9, for the difference of two rates.
 */

/** The outcomes of one variant: people whose window is over, and how many of them succeeded. */
export interface Arm {
  people: number;
  successes: number;
}

/** The error rate of the interval, and the number of people at which it is narrowest. */
interface Tuning {
  alpha: number;
  expectedPeople: number;
}

/** The challenger's rate minus the control's, with its confidence interval. */
export interface Difference {
  difference: number;
  low: number;
  high: number;
}

const rateOf = ({ people, successes }: Arm): number => successes / people;
const varianceOf = (rate: number): number => rate * (1 - rate);

/** Compares the rates of a challenger and the control. Returns null if either has no people. */
export function compareArms(control: Arm, challenger: Arm, { alpha, expectedPeople }: Tuning): Difference | null {
  if (control.people === 0 || challenger.people === 0) return null;
  const [a, b] = [rateOf(control), rateOf(challenger)];
  const n = control.people + challenger.people;
  const variance = n * (varianceOf(a) / control.people + varianceOf(b) / challenger.people);
  const halfWidth = Math.sqrt(variance) * unitHalfWidth(n, alpha, expectedPeople);
  return { difference: b - a, low: b - a - halfWidth, high: b - a + halfWidth };
}

/** Half-width of the interval for the mean of `n` values with variance 1. */
function unitHalfWidth(n: number, alpha: number, expectedPeople: number): number {
  const log = -2 * Math.log(alpha);
  const rho = Math.sqrt((log + Math.log(1 + log)) / expectedPeople);
  const spread = n * rho ** 2 + 1;
  return Math.sqrt(2 * spread * Math.log(Math.sqrt(spread) / alpha)) / (n * rho);
}

/** Weight of the prior of the sample-ratio test, in people. */
const concentration = 100;
/** Bayes factor above which the observed split contradicts the weights. */
const mismatchFactor = 1_000;

/**
 * Returns whether the observed numbers of people contradict the weights, which sum to 1. The test is a
 * Dirichlet-multinomial martingale, so it is valid at every look.
 */
export function contradictsWeights(observed: readonly number[], weights: readonly number[]): boolean {
  const n = observed.reduce((sum, count) => sum + count, 0);
  let logFactor = lgamma(concentration) - lgamma(concentration + n);
  observed.forEach((count, index) => {
    const prior = concentration * (weights[index] ?? 0);
    logFactor += lgamma(prior + count) - lgamma(prior) - count * Math.log(weights[index] ?? 0);
  });
  return logFactor > Math.log(mismatchFactor);
}

/**
 * Coefficients of the Lanczos approximation for g = 7 and n = 9: the constant term here, the other eight in `lanczos`.
 */
const lanczosFirst = 0.99999999999980993;
const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
const lanczosG = 7;

/** Returns the natural logarithm of the gamma function for positive `x`, to about 14 digits. */
export function lgamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lgamma(1 - x);
  const z = x - 1;
  const series = lanczos.reduce((sum, coefficient, index) => sum + coefficient / (z + index + 1), lanczosFirst);
  const t = z + lanczosG + 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series);
}
