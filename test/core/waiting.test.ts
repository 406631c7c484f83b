import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDuePoll } from '../../src/core/waiting/due-poll.ts';
import { retry } from '../../src/core/waiting/retry.ts';
import { waitUntil } from '../../src/core/waiting/wait-until.ts';
import { withTimeout } from '../../src/core/waiting/with-timeout.ts';

const never = new Promise<never>(() => undefined);

describe('withTimeout', () => {
  test('returns what the promise resolves to', async () => {
    expect(await withTimeout(Promise.resolve(1), 1_000, () => 2)).toBe(1);
  });

  test('returns what onTimeout returns when the promise takes too long', async () => {
    expect(await withTimeout(never, 5, () => 'late')).toBe('late');
  });

  test('rejects with what onTimeout throws', async () => {
    const late = withTimeout(never, 5, () => {
      throw new Error('late');
    });
    await expect(late).rejects.toThrow('late');
  });

  test('swallows a rejection that arrives after the timeout', async () => {
    const work = Promise.withResolvers<string>();
    expect(await withTimeout(work.promise, 5, () => 'late')).toBe('late');
    work.reject(new Error('too late to matter'));
    await expect(work.promise).rejects.toThrow('too late to matter');
  });
});

describe('waitUntil', () => {
  test('returns the first result that is not null, undefined or false', async () => {
    const results = [null, false, undefined, 0];
    expect(await waitUntil(() => results.shift(), { timeoutMs: 40_000, everyMs: 1 })).toBe(0);
  });

  test('checks once and returns null when there is no time', async () => {
    let checks = 0;
    expect(await waitUntil(() => ++checks > 1, { timeoutMs: 0 })).toBeNull();
    expect(checks).toBe(1);
  });

  test('ends when its signal fires', async () => {
    const stop = new AbortController();
    const waiting = waitUntil(() => false, { timeoutMs: 60_000, everyMs: 30_000, signal: stop.signal });
    stop.abort();
    expect(await waiting).toBeNull();
  });
});

describe('retry', () => {
  const failing = (times: number) => {
    let calls = 0;
    return async () => {
      if (++calls <= times) throw new Error(`failure ${calls}`);
      return calls;
    };
  };

  test('repeats until the attempt succeeds, and counts the attempts', async () => {
    const counts: number[] = [];
    const pauseMs = (_error: unknown, attempt: number) => counts.push(attempt) && 1;
    expect(await retry(failing(2), { pauseMs })).toBe(3);
    expect(counts).toEqual([1, 2]);
  });

  test('throws the error that is final', async () => {
    const pauseMs = (_error: unknown, attempt: number) => (attempt < 2 ? 1 : null);
    await expect(retry(failing(5), { pauseMs })).rejects.toThrow('failure 2');
  });

  test('begins no attempt after its signal fired', async () => {
    const stop = new AbortController();
    const running = retry(failing(5), { pauseMs: () => 60_000, signal: stop.signal });
    setTimeout(() => stop.abort(), 5);
    await expect(running).rejects.toThrow('failure 1');
  });
});

describe('a due poll', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Starts a poll that finds the next item due in `dueInMs`. */
  function startPoll(dueInMs: number | null) {
    const state = { dueInMs, looks: 0 };
    const errors: unknown[] = [];
    const poll = createDuePoll(
      async () => {
        state.looks++;
        if (state.dueInMs === Infinity) throw new Error('no connection');
        return state.dueInMs;
      },
      (error) => errors.push(error),
    );
    poll.start();
    return { poll, state, errors };
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('polls immediately, and then every nine seconds while nothing happens', async () => {
    const { state, poll } = startPoll(null);
    await pass(0);
    expect(state.looks).toBe(1);
    await pass(8_900);
    expect(state.looks).toBe(1);
    await pass(18_200);
    expect(state.looks).toBe(4);
    await poll.stop();
    await pass(60_000);
    expect(state.looks).toBe(4);
  });

  test('polls when something becomes due, and every second while something is due', async () => {
    const { state } = startPoll(2_500);
    await pass(0);
    state.dueInMs = 0;
    await pass(2_400);
    expect(state.looks).toBe(1);
    await pass(200);
    expect(state.looks).toBe(2);
    await pass(3_000);
    expect(state.looks).toBe(5);
  });

  test('polls within a second after a notification, even one that arrives during a poll', async () => {
    const { state, poll } = startPoll(null);
    await pass(3_000);
    poll.note();
    poll.note();
    await pass(1_000);
    expect(state.looks).toBe(2);
    poll.note();
    await pass(1_000);
    expect(state.looks).toBe(3);
  });

  test('reports an error and polls again after a second', async () => {
    const { state, errors } = startPoll(Infinity);
    await pass(2_100);
    expect(state.looks).toBe(3);
    expect(errors).toHaveLength(3);
  });
});
