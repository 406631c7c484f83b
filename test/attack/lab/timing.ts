import { expect } from 'vitest';
import type { Score } from './attack.ts';

/** Largest relative difference between two medians. */
const widestGap = 0.05;
/** Coefficient of the Kolmogorov–Smirnov test at p = 0.01. */
const critical = 1.628;
/** Other load moves medians at random; a difference in the service has the same direction in every round. */
const rounds = 4;

/**
 * Measures both kinds in turn, so that other load affects both alike, and fails if responses differ, or
 * if their times differ in each of four rounds, in the same direction.
 */
export async function compareTimes(
  score: Score,
  pairs: number,
  ask: (known: boolean, n: number) => Promise<string>,
): Promise<void> {
  const seen: string[] = [];
  const signs = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const times = { known: [] as number[], unknown: [] as number[] };
    const answers = new Set<string>();
    for (let n = 0; n < pairs; n++) {
      for (const known of n % 2 ? [true, false] : [false, true]) {
        const startedAt = performance.now();
        answers.add(await ask(known, n));
        times[known ? 'known' : 'unknown'].push(performance.now() - startedAt);
      }
    }
    score.tried(pairs * 2);
    expect([...answers]).toHaveLength(1);
    const gap = (median(times.known) - median(times.unknown)) / median(times.unknown);
    signs.add(Math.sign(gap));
    const apart = distance(times.known, times.unknown);
    seen.push(`medians ${(gap * 100).toFixed(1)} % apart, KS distance ${apart.toFixed(2)}`);
    score.note(seen.join('; '));
    if (Math.abs(gap) < widestGap && apart < critical * Math.sqrt(2 / pairs)) return;
  }
  if (signs.size === 1) expect(seen).toEqual('times that do not reveal anything');
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The two-sample Kolmogorov–Smirnov distance: how far apart two distributions are, from 0 to 1. */
function distance(x: readonly number[], y: readonly number[]): number {
  const below = (list: readonly number[], limit: number) => list.filter((value) => value <= limit).length / list.length;
  return Math.max(...[...x, ...y].map((limit) => Math.abs(below(x, limit) - below(y, limit))));
}
