import type { Answer } from '../../support/client.ts';

/** What no response may contain: texts of PostgreSQL, stack traces, paths and names of libraries. */
export const inside =
  /syntax error at|unterminated quoted|pg_catalog|relation "|column "|PostgreSQL \d|node_modules|\bat [\w.<>]+ \(|\/src\/|\.ts:\d|MikroORM|DriverException|invalid input syntax|QueryFailed|ECONNREFUSED/;

/** Returns what a response leaks, or that it took too long; null if there is nothing to report. */
export function judge({ status, body }: Answer, startedAt: number, limitMs: number): string | null {
  const text = JSON.stringify(body);
  const ms = performance.now() - startedAt;
  if (status >= 500) return `${status} ${text}`;
  if (inside.test(text)) return text;
  return ms > limitMs ? `${Math.round(ms)} ms` : null;
}
