/**
 * SQL for moments that more than one process compares: leases, due times, locks, windows. PostgreSQL computes them, so a
 * process whose clock is wrong changes nothing. Statements take durations in milliseconds, never a moment.
 */

/** A number of milliseconds, or the parameter that carries it. */
export type SqlDuration = number | `$${number}`;

/**
 * The moment `ms` from now. Cut to the milliseconds that columns keep: a moment that is rounded up would not have come
 * yet for a statement that follows at once.
 */
export const fromNow = (ms: SqlDuration): string => `date_trunc('milliseconds', now()) + ${interval(ms)}`;

/** The moment `ms` ago. */
export const beforeNow = (ms: SqlDuration): string => `now() - ${interval(ms)}`;

/** Milliseconds until `moment`, negative when it is over. */
export const msUntil = (moment: string): string => `(extract(epoch from ${moment} - now()) * 1000)::float8`;

const interval = (ms: SqlDuration): string =>
  typeof ms === 'number' ? `interval '${ms} milliseconds'` : `${ms}::float8 * interval '1 millisecond'`;
