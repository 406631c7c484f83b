import gammaln from '@stdlib/math-base-special-gammaln';
import { describe, expect, test } from 'vitest';
import { assignVariant } from '../../src/studio/experiments/assign-variant.ts';
import { failingVariant, judge, type JudgedArm } from '../../src/studio/experiments/judge.ts';
import { compareArms, contradictsWeights, lgamma } from '../../src/studio/experiments/statistics.ts';

/** A small generator of random numbers, so that each run simulates the same experiments (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const days = 28;
const peopleADay = 80;

interface Simulated {
  verdict: string;
  day: number;
}

/** Runs an experiment whose owner looks each day and stops at the first verdict. */
function simulate(random: () => number, rates: readonly [number, number]): Simulated {
  const arms: [JudgedArm, JudgedArm] = [
    { key: 'a', weight: 50, exposed: 0, people: 0, successes: 0 },
    { key: 'b', weight: 50, exposed: 0, people: 0, successes: 0 },
  ];
  for (let day = 1; day <= days; day++) {
    for (let person = 0; person < peopleADay; person++) {
      const which = random() < 0.5 ? 0 : 1;
      const arm = arms[which];
      arm.exposed++;
      arm.people++;
      if (random() < rates[which]) arm.successes++;
    }
    const { verdict } = judge(arms, { expectedPeople: 1_000, isOldEnough: day >= 7 });
    if (verdict !== 'collecting' && verdict !== 'no_difference_yet') return { verdict, day };
  }
  return { verdict: 'no_difference_yet', day: days };
}

const simulateMany = (count: number, rates: readonly [number, number]): Simulated[] => {
  const random = createRandom(20_261_122);
  return Array.from({ length: count }, () => simulate(random, rates));
};

describe('an experiment that is looked at on each of 28 days', () => {
  test('finds a difference between equal variants in at most 5 % of 1,000 experiments', () => {
    const wrong = simulateMany(1_000, [0.3, 0.3]).filter(({ verdict }) => verdict !== 'no_difference_yet');
    expect(wrong.length).toBeLessThanOrEqual(50);
  });

  test('finds ten points more in at least 95 % of experiments, and never the opposite', () => {
    const found = simulateMany(300, [0.3, 0.4]);
    expect(found.filter(({ verdict }) => verdict === 'better').length).toBeGreaterThanOrEqual(285);
    expect(found.filter(({ verdict }) => verdict === 'worse')).toEqual([]);
  });
});

describe('compareArms', () => {
  test('gives the interval of the formula', () => {
    const found = compareArms(
      { people: 204, successes: 63 },
      { people: 206, successes: 78 },
      { alpha: 0.05, expectedPeople: 1_000 },
    );
    expect(found?.difference).toBeCloseTo(0.0698, 4);
    expect(found?.low).toBeCloseTo(-0.0763, 3);
    expect(found?.high).toBeCloseTo(0.2159, 3);
  });

  test('gives none without people', () => {
    expect(
      compareArms({ people: 0, successes: 0 }, { people: 9, successes: 1 }, { alpha: 0.05, expectedPeople: 200 }),
    ).toBeNull();
  });
});

describe('contradictsWeights', () => {
  test('finds 60 to 40 where half and half was promised, and nothing in an even split', () => {
    expect(contradictsWeights([672, 448], [0.5, 0.5])).toBe(true);
    expect(contradictsWeights([560, 560], [0.5, 0.5])).toBe(false);
    expect(contradictsWeights([0, 0], [0.5, 0.5])).toBe(false);
    expect(contradictsWeights([700, 300], [0.7, 0.3])).toBe(false);
  });

  test('raises at most a few false alarms when it is checked after every person', () => {
    const random = createRandom(7);
    let alarms = 0;
    for (let run = 0; run < 200; run++) {
      const observed = [0, 0];
      for (let person = 1; person <= 500; person++) {
        const which = random() < 0.5 ? 0 : 1;
        observed[which] = (observed[which] ?? 0) + 1;
        if (person % 10 === 0 && contradictsWeights(observed, [0.5, 0.5])) {
          alarms++;
          break;
        }
      }
    }
    expect(alarms).toBeLessThanOrEqual(2);
  });
});

describe('lgamma', () => {
  test.each([0.1, 0.5, 1, 1.5, 2, 3.7, 10, 50, 100, 1_234.5, 1e6])('of %d agrees with stdlib', (x) => {
    expect(Math.abs(lgamma(x) - gammaln(x))).toBeLessThan(1e-10 * Math.max(1, Math.abs(gammaln(x))));
  });
});

describe('judge', () => {
  const arm = (key: string, people: number, successes: number, weight = 50): JudgedArm => ({
    key,
    weight,
    exposed: people,
    people,
    successes,
  });
  const verdictOf = (arms: JudgedArm[], isOldEnough = true) => judge(arms, { expectedPeople: 1_000, isOldEnough });

  test('collects below 100 people of a variant and before the least number of days', () => {
    expect(verdictOf([arm('a', 99, 0), arm('b', 99, 99)]).verdict).toBe('collecting');
    expect(verdictOf([arm('a', 500, 100), arm('b', 500, 300)], false).verdict).toBe('collecting');
  });

  test('names the better variant, or the control when every challenger is worse', () => {
    expect(verdictOf([arm('a', 500, 100), arm('b', 500, 200)])).toMatchObject({ verdict: 'better', best: 'b' });
    expect(verdictOf([arm('a', 500, 200), arm('b', 500, 100)])).toMatchObject({ verdict: 'worse', best: 'a' });
    expect(verdictOf([arm('a', 500, 150), arm('b', 500, 155)])).toMatchObject({
      verdict: 'no_difference_yet',
      best: null,
    });
  });

  test('names the best of several challengers', () => {
    const arms = [arm('a', 400, 80, 34), arm('b', 400, 160, 33), arm('c', 400, 200, 33)];
    expect(verdictOf(arms)).toMatchObject({ verdict: 'better', best: 'c' });
  });

  test('is invalid when people are not split as the weights say', () => {
    expect(verdictOf([arm('a', 900, 100), arm('b', 300, 200)]).verdict).toBe('invalid');
  });
});

describe('failingVariant', () => {
  const counts = (key: string, replies: number, failed: number) => ({ key, replies, failed });

  test('names a challenger that fails 40 % of its first fifty replies', () => {
    expect(failingVariant([counts('a', 50, 0), counts('b', 50, 20)])).toBe('b');
  });

  test('names none with fewer replies, a small difference or a control that fails as well', () => {
    expect(failingVariant([counts('a', 50, 0), counts('b', 49, 49)])).toBeNull();
    expect(failingVariant([counts('a', 5_000, 0), counts('b', 5_000, 450)])).toBeNull();
    expect(failingVariant([counts('a', 100, 40), counts('b', 100, 42)])).toBeNull();
    expect(failingVariant([counts('a', 100, 80), counts('b', 100, 0)])).toBeNull();
  });
});

describe('assignVariant', () => {
  const variants = [
    { key: 'a', versionId: 'ver_a', weight: 70 },
    { key: 'b', versionId: 'ver_b', weight: 30 },
  ];

  test('is the documented function of the experiment and the subject', () => {
    // The first eight bytes of SHA-256("xpt_1usr_1"), big-endian, modulo 10,000 are 8,235, those for usr_2 are 4,173.
    expect(assignVariant('xpt_1', 'usr_1', variants).key).toBe('b');
    expect(assignVariant('xpt_1', 'usr_2', variants).key).toBe('a');
  });

  test('splits 1,000 people within three points of the weights', () => {
    const keys = Array.from({ length: 1_000 }, (_, n) => assignVariant('xpt_2', `usr_${n}`, variants).key);
    const share = keys.filter((key) => key === 'a').length / 1_000;
    expect(Math.abs(share - 0.7)).toBeLessThanOrEqual(0.03);
  });

  test('splits differently in another experiment', () => {
    const keysOf = (id: string) =>
      Array.from({ length: 100 }, (_, n) => assignVariant(id, `usr_${n}`, variants).key).join('');
    expect(keysOf('xpt_1')).not.toBe(keysOf('xpt_2'));
  });
});
