import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { hashAtFullCost } from '../support/cheap-argon2.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
const accounts: string[] = [];
const pairs = 40;

beforeAll(async () => {
  app = await startTestApp();
  for (let i = 0; i < 10; i++) accounts.push((await app.signUp()).email);
  hashAtFullCost(true);
});
afterAll(() => {
  hashAtFullCost(false);
  return app.close();
});

const known = (n: number) => accounts[n % accounts.length] ?? '';
const unknown = (n: number) => `nobody-${n}-${process.pid}@example.com`;

/** Returns the duration of one response in milliseconds, and the response. */
async function timed(path: string, body: object): Promise<{ ms: number; answer: string }> {
  const startedAt = performance.now();
  const { status, body: said } = await app.call('POST', path, { body });
  return { ms: performance.now() - startedAt, answer: `${status} ${JSON.stringify(said)}` };
}

/** Measures both kinds of address in turn, so that other load affects both alike. */
async function compare(path: string, bodyFor: (email: string) => object) {
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  const answers = new Set<string>();
  for (let n = 0; n < pairs; n++) {
    for (const kind of n % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const { ms, answer } = await timed(path, bodyFor(kind === 'known' ? known(n) : unknown(n)));
      times[kind].push(ms);
      answers.add(answer);
      // The job of one request must not overlap the measurement of the next.
      await eventually(
        async () =>
          (await app.db.query(`select 1 from tasks where state <> 'failed' and run_at <= now()`)).rows.length === 0,
      );
    }
  }
  return { ...times, answers };
}

/** Returns the two-sample Kolmogorov–Smirnov distance of two distributions, from 0 to 1. */
function distance(a: number[], b: number[]): number {
  const below = (list: number[], x: number) => list.filter((value) => value <= x).length / list.length;
  return Math.max(...[...a, ...b].map((x) => Math.abs(below(a, x) - below(b, x))));
}

// Two samples of the same distribution exceed this distance once in ten thousand cases.
const farthest = 2.23 * Math.sqrt(2 / pairs);

test('login takes as long and returns the same for a known and an unknown address', async () => {
  const {
    known: a,
    unknown: b,
    answers,
  } = await compare('/v1/auth/login', (email) => ({ email, password: 'wrong password' }));
  expect([...answers]).toHaveLength(1);
  expect(distance(a, b)).toBeLessThan(farthest);
});

test('forgot-password takes as long and returns the same for a known and an unknown address', async () => {
  const { known: a, unknown: b, answers } = await compare('/v1/auth/forgot-password', (email) => ({ email }));
  expect([...answers]).toHaveLength(1);
  expect(distance(a, b)).toBeLessThan(farthest);
});
