import type { Bench, Candidate, Figure, Slice } from '../row.ts';
import { median, quartiles } from './statistics.ts';

/** The work of one candidate in one round. */
export interface Sample extends Slice {
  cpuMicros: number;
}

/** A number of a sample: `cpuPerOperation`, `rate` … */
export type Measure = (sample: Sample) => number;

export const cpuPerOperation: Measure = ({ cpuMicros, operations }) => cpuMicros / operations;
export const rate: Measure = ({ operations, ms }) => (operations / ms) * 1000;
export const p50: Measure = ({ p50Ms = Number.NaN }) => p50Ms;
export const p99: Measure = ({ p99Ms = Number.NaN }) => p99Ms;

export interface Comparison {
  /** The subject's median over the rounds. */
  typical(measure: Measure): number;
  /** The baseline's median over the rounds. */
  baseline(measure: Measure): number;
  /** The median over the rounds of subject / baseline, as a figure. Void if the control deviates for that measure. */
  ratio(what: string, measure: Measure, goal?: Figure['goal']): Figure;
  /** The median over the rounds of subject − baseline, as a figure. */
  added(what: string, measure: Measure, unit: Figure['unit'], goal?: Figure['goal']): Figure;
}

interface Candidates {
  subject: Candidate;
  baseline: Candidate;
  /** A second process of the baseline: the difference between the two is noise. */
  control: Candidate;
}

const controlRange = [0.95, 1.05] as const;
/** V8 compiles code by how often it ran, not by time. */
const warmUps = {
  short: { ms: 2_500, operations: 6_000, limitMs: 4_000 },
  reference: { ms: 6_000, operations: 20_000, limitMs: 10_000 },
};

/**
 * Runs the candidates in turn, all of them started, in another order each round, after a warm-up. `between` runs before
 * every slice and undoes what the previous slice changed.
 */
export async function compare(
  bench: Bench,
  candidates: Candidates,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Comparison> {
  const names = ['baseline', 'subject', 'control'] as const;
  const rounds: Record<(typeof names)[number], Sample>[] = [];
  for (const name of names) {
    await warm(candidates[name], bench.isReference ? warmUps.reference : warmUps.short, between);
  }
  for (let round = 0; round < bench.slices; round++) {
    const samples = {} as Record<(typeof names)[number], Sample>;
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] ?? 'baseline';
      await between();
      samples[name] = await sample(candidates[name], bench.sliceMs);
    }
    rounds.push(samples);
  }
  const perRound = (value: (samples: Record<(typeof names)[number], Sample>) => number) => rounds.map(value);

  return {
    typical: (measure) => median(perRound(({ subject }) => measure(subject))),
    baseline: (measure) => median(perRound(({ baseline }) => measure(baseline))),
    ratio(what, measure, goal) {
      const ratios = perRound(({ subject, baseline }) => measure(subject) / measure(baseline));
      const control = median(perRound(({ control, baseline }) => measure(control) / measure(baseline)));
      return { what, value: median(ratios), unit: '×', quartiles: quartiles(ratios), goal, ...verdict(control) };
    },
    added(what, measure, unit, goal) {
      const added = perRound(({ subject, baseline }) => measure(subject) - measure(baseline));
      return { what, value: median(added), unit, quartiles: quartiles(added), goal };
    },
  };
}

const verdict = (control: number): { void?: string } =>
  control >= controlRange[0] && control <= controlRange[1] ? {} : { void: `control ${control.toFixed(2)}` };

async function warm(
  candidate: Candidate,
  least: (typeof warmUps)['short'],
  between: () => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  for (let operations = 0; ;) {
    await between();
    operations += (await candidate.work(least.ms / 4)).operations;
    const ms = performance.now() - startedAt;
    if (ms >= least.limitMs || (ms >= least.ms && operations >= least.operations)) return;
  }
}

/** Measures a candidate for `ms`. */
export async function sample(candidate: Candidate, ms: number): Promise<Sample> {
  const before = await candidate.process.cpuMicros();
  const slice = await candidate.work(ms);
  const sample = { ...slice, cpuMicros: (await candidate.process.cpuMicros()) - before };
  if (sample.operations === 0) throw new Error(`${candidate.name} did nothing in ${ms} ms`);
  return sample;
}
