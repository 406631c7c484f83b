/**
 * SQL condition: whether a person counts towards the least size of a group. An account that anyone can make in a minute
 * does not, so that an owner cannot unmask a person with accounts of their own. `now` is a parameter in business time.
 */
export const personCounts = (subject: string, user: string, now: string): string => `(
  ${subject} <> ${user}.id or ${user}.email_verified or ${user}.plan <> 'free'
  or ${user}.created_at < ${now}::timestamptz - interval '7 days')`;

/** People on whom a figure rests at the least: smaller groups are not shown. */
export const leastGroup = 5;
