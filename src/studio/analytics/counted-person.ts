/**
 * Returns an SQL condition: a person counts towards the minimum group size. New, unverified, free accounts do not, so
 * that an owner cannot unmask a person by adding throwaway accounts. `now` is a parameter with the injected clock's
 * time.
 */
export const personCounts = (subject: string, user: string, now: string): string => `(
  ${subject} <> ${user}.id or ${user}.email_verified or ${user}.plan <> 'free'
  or ${user}.created_at < ${now}::timestamptz - interval '7 days')`;

/** Minimum number of people behind a figure; figures of smaller groups are withheld. */
export const minGroupSize = 5;
