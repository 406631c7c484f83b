import type { Answer } from '../../support/client.ts';

/** A response that took too long, which may be because others were made at the same time. */
export interface Slow {
  tookMs: number;
}

/** What a try found: a text, or that it took too long; null if the service held. */
export type Finding = string | Slow | null | undefined | false;

/** Returns that a response took too long; null if it did not. */
export function judgeTime(startedAt: number, limitMs: number): Slow | null {
  const tookMs = Math.round(performance.now() - startedAt);
  return tookMs > limitMs ? { tookMs } : null;
}

/** Matches internals that no response may contain: texts of PostgreSQL, stack traces, paths and names of libraries. */
export const inside =
  /syntax error at|unterminated quoted|pg_catalog|relation "|column "|PostgreSQL \d|node_modules|\bat [\w.<>]+ \(|\/src\/|\.ts:\d|MikroORM|DriverException|invalid input syntax|QueryFailed|ECONNREFUSED/;

/** Returns what a response leaks, or that it took too long; null if there is nothing to report. */
export function judge({ status, body }: Answer, startedAt: number, limitMs: number): string | Slow | null {
  const text = JSON.stringify(body);
  if (status >= 500) return `${status} ${text}`;
  if (inside.test(text)) return text;
  return judgeTime(startedAt, limitMs);
}
