/**
 * SQL for times that several processes compare: leases, due times, locks, windows. PostgreSQL computes them, so a
 * process with a wrong clock has no effect. Statements take durations in milliseconds, never timestamps.
 */

/** Number of milliseconds, or the statement parameter that holds it. */
export type SqlDuration = number | `$${number}`;

/**
 * Returns SQL for the time `ms` from now, truncated to the milliseconds that columns store: if it were rounded up, it
 * would still be in the future for a statement that follows immediately.
 */
export const fromNow = (ms: SqlDuration): string => `date_trunc('milliseconds', now()) + ${interval(ms)}`;

/** Returns SQL for the time `ms` ago. */
export const beforeNow = (ms: SqlDuration): string => `now() - ${interval(ms)}`;

/** Returns SQL for the milliseconds until `moment`, negative if it has passed. */
export const msUntil = (moment: string): string => `(extract(epoch from ${moment} - now()) * 1000)::float8`;

const interval = (ms: SqlDuration): string =>
  typeof ms === 'number' ? `interval '${ms} milliseconds'` : `${ms}::float8 * interval '1 millisecond'`;
