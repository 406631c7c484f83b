import pg from 'pg';

/** A query or operation and the time that it may take at the seeded volumes. */
export interface Check {
  /** Id of the finding or the feature that it checks. */
  id: string;
  what: string;
  boundMs: number;
  /** Returns the duration of one run in milliseconds; for background work that of its longest statement. */
  run: () => Promise<number>;
  /** Number of runs after a warm-up run; the slowest is reported. Defaults to 5. */
  times?: number;
}

export interface Measured extends Pick<Check, 'id' | 'what' | 'boundMs'> {
  ms: number;
  failure?: string;
}

/** Returns how long an operation takes. */
export async function timeOf(operation: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await operation();
  return performance.now() - startedAt;
}

/** Returns the longest time of a statement that the work sends, on any connection. */
export async function longestStatement(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  const { prototype } = pg.Client as unknown as {
    prototype: { query: (this: unknown, ...args: unknown[]) => unknown };
  };
  const send = prototype.query;
  prototype.query = function (...args) {
    const startedAt = performance.now();
    const note = (): void => void (longestMs = Math.max(longestMs, performance.now() - startedAt));
    const last = args.at(-1);
    if (typeof last !== 'function') {
      const sent = send.apply(this, args);
      if (sent instanceof Promise) sent.then(note, note);
      return sent;
    }
    return send.apply(this, [...args.slice(0, -1), (...results: unknown[]) => (note(), last(...results))]);
  };
  try {
    await work();
  } finally {
    prototype.query = send;
  }
  return longestMs;
}

/** Runs a check. A run that throws is a failure, not the end of the others. */
export async function measure({ id, what, boundMs, run, times = 5 }: Check): Promise<Measured> {
  try {
    if (times > 1) await run();
    const runs: number[] = [];
    for (let n = 0; n < times; n++) runs.push(await run());
    return { id, what, boundMs, ms: Math.max(...runs) };
  } catch (error) {
    return { id, what, boundMs, ms: Infinity, failure: (error as Error).message };
  }
}

/** Returns the results as a table. */
export const table = (results: readonly Measured[]): string =>
  [
    '| id | what | slowest | bound | |',
    '| --- | --- | ---: | ---: | --- |',
    ...results.map(
      ({ id, what, ms, boundMs, failure }) =>
        `| ${id} | ${what} | ${Number.isFinite(ms) ? `${ms.toFixed(1)} ms` : '-'} | ${boundMs} ms | ${verdict(ms, boundMs, failure)} |`,
    ),
  ].join('\n');

function verdict(ms: number, boundMs: number, failure?: string): string {
  if (failure !== undefined) return `failed: ${failure}`;
  return ms <= boundMs ? 'within' : 'exceeded';
}
