import { expect, test } from 'vitest';
import type { Finding } from './judge.ts';

declare module 'vitest' {
  interface TaskMeta {
    attack?: Tried;
  }
}

/** The result of a scenario, for the table. */
export interface Tried {
  rows: string[];
  what: string;
  times: number;
  notRun?: string;
  note?: string;
}

export interface Score {
  /** Counts tries that are not made through `each`. */
  tried(times?: number): void;
  /**
   * Tries all items, a few at a time, and fails with the findings. What was slow is tried again alone: it is found if it is
   * slow by itself, not if it waited behind the others.
   */
  each<Case>(cases: Iterable<Case>, find: (one: Case) => Promise<Finding>, atOnce?: number): Promise<void>;
  /** Adds a measurement to the table. */
  note(text: string): void;
  /** Ends the scenario without a verdict. */
  notRun(why: string): never;
}

const isChosen = (rows: string): boolean => {
  const chosen = process.env['ATTACK_ROWS']?.split(' ') ?? [];
  return chosen.length === 0 || rows.split(' ').some((row) => chosen.includes(row));
};

/** One scenario of one or more rows: `attack('A09', 'forged tokens', …)`. It throws if an attack succeeds. */
export function attack(rows: string, what: string, run: (score: Score) => Promise<unknown>, timeoutMs = 60_000): void {
  test.runIf(isChosen(rows))(`${rows} ${what}`, { timeout: timeoutMs }, async ({ task, skip }) => {
    const tried: Tried = { rows: rows.split(' '), what, times: 0 };
    task.meta.attack = tried;
    await run({
      tried: (times = 1) => void (tried.times += times),
      each: async (cases, find, atOnce = 8) => {
        const found = await findings(cases, find, atOnce, () => tried.times++);
        expect(found.slice(0, 20)).toEqual([]);
      },
      note: (text) => void (tried.note = text),
      notRun: (why) => {
        tried.notRun = why;
        skip(why);
        throw new Error('a skipped scenario goes no further');
      },
    });
    expect(tried.times).toBeGreaterThan(0);
  });
}

async function findings<Case>(
  cases: Iterable<Case>,
  find: (one: Case) => Promise<Finding>,
  atOnce: number,
  count: () => void,
): Promise<string[]> {
  const found: string[] = [];
  const slow: Case[] = [];
  const left = cases[Symbol.iterator]();
  const attempt = async (one: Case, isAgain: boolean): Promise<void> => {
    count();
    const finding = await find(one).catch((error: unknown) => `no answer: ${String(error)}`);
    if (typeof finding === 'string' && finding !== '') found.push(`${label(one)} → ${finding}`);
    else if (finding && isAgain) found.push(`${label(one)} → ${finding.tookMs} ms alone`);
    else if (finding) slow.push(one);
  };
  const work = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await attempt(next.value, false);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const one of slow) await attempt(one, true);
  return found;
}

function label(one: unknown): string {
  const text =
    typeof one === 'string'
      ? one
      : JSON.stringify(one, (_key, value: unknown) => (typeof value === 'function' ? 'ƒ' : value));
  return JSON.stringify(text?.slice(0, 200));
}
