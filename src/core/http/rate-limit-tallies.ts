import type { Sql } from '../database/sql.ts';
import { addPoints, type CountedPoints, type Counter, sharePoints } from './rate-limit-counters.ts';

/** Longest time until other instances see a counted point, in milliseconds. */
const shareAfterMs = 100;
/** Fraction of the limit that is shared immediately, so that all instances together exceed the limit only slightly. */
const shareAtPart = 1 / 100;
const sweepAfterMs = 60_000;

interface Tally {
  counter: Counter;
  /** Points of all instances when they were last shared. */
  shared: number;
  /** Points that are being shared now. */
  leaving: number;
  /** Points counted since then. */
  waiting: number;
  endsAt: number;
  /** The same time on the scale of `performance.now()`. */
  endsAtMs: number;
}

/**
 * Creates counters whose windows begin in PostgreSQL and which an instance then keeps in memory. It shares its points
 * with the other instances at short intervals, all keys in one statement. So a key that every request of an account
 * counts towards is not a hot row and needs no statement for each request.
 */
export function createTallies(sql: Sql) {
  const tallies = new Map<string, Tally>();
  const beginning = new Map<string, Promise<CountedPoints>>();
  const unshared = new Set<Tally>();
  let isSharing = false;
  let timer: NodeJS.Timeout | undefined;
  let sweptAtMs = performance.now();

  function find(name: string): Tally | undefined {
    const tally = tallies.get(name);
    if (!tally || tally.endsAtMs > performance.now()) return tally;
    tallies.delete(name);
    unshared.delete(tally);
    return undefined;
  }

  async function begin(counter: Counter): Promise<CountedPoints> {
    const state = await addPoints(sql, counter, 1);
    const tally = { counter, shared: 0, leaving: 0, waiting: 0, endsAt: 0, endsAtMs: 0 };
    note(tally, state);
    tallies.set(counter.name, tally);
    return state;
  }

  function note(tally: Tally, { points, msLeft, endsAt }: CountedPoints): void {
    Object.assign(tally, { shared: points, endsAt, endsAtMs: performance.now() + msLeft });
  }

  async function share(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sweep();
    const leaving = [...unshared].filter(({ counter }) => find(counter.name));
    unshared.clear();
    if (leaving.length === 0) return;
    isSharing = true;
    for (const tally of leaving) Object.assign(tally, { leaving: tally.waiting, waiting: 0 });
    // If the database fails, the points wait for the next attempt.
    const states = await sharePoints(sql, leaving).catch(() => null);
    for (const tally of leaving) {
      const state = states?.get(tally.counter.name);
      if (state) note(tally, state);
      else addWaiting(tally, tally.leaving);
      tally.leaving = 0;
    }
    isSharing = false;
    if (unshared.size > 0) shareLater();
  }

  function shareLater(): void {
    timer ??= setTimeout(() => void share(), shareAfterMs).unref();
  }

  function addWaiting(tally: Tally, points: number): void {
    tally.waiting += points;
    unshared.add(tally);
  }

  function sweep(): void {
    if (performance.now() - sweptAtMs < sweepAfterMs) return;
    sweptAtMs = performance.now();
    for (const name of tallies.keys()) find(name);
  }

  return {
    /** Counts a point and returns the state of the counter. Points above the limit are not counted. */
    async count(counter: Counter): Promise<CountedPoints> {
      const { name, limit } = counter;
      let tally = find(name);
      while (!tally) {
        const begun = beginning.get(name);
        if (!begun) {
          const own = begin(counter).finally(() => beginning.delete(name));
          beginning.set(name, own);
          return own;
        }
        await begun;
        tally = find(name);
      }
      const points = tally.shared + tally.leaving + tally.waiting + 1;
      if (points <= limit) {
        addWaiting(tally, 1);
        if (!isSharing && tally.waiting >= limit * shareAtPart) void share();
        else if (!isSharing) shareLater();
      }
      return { points, msLeft: tally.endsAtMs - performance.now(), endsAt: tally.endsAt };
    },
  };
}
