import { mondayOf } from './analytics.input.ts';
import { minGroupSize } from './counted-person.ts';

/**
 * The days whose figures may be shown. Every shown figure is a sum of parts with at least five people each, so that the
 * difference of two responses never isolates a smaller group:
 *
 * - A complete day of an agent with at least five people is a part.
 * - The other days of a week together are one part if the week is complete, they have at least five people in total,
 *   and the request covers the whole week.
 * - Days in no part appear only in the public numbers of messages and conversations.
 *
 * Complete days never change, so comparing two responses over time isolates no one either.
 *
 * For several agents, the parts are the same as for each agent alone: the difference could otherwise expose an agent
 * with few people.
 */
export interface Release {
  /** Keys of days that are shown on their own. */
  days: ReadonlySet<string>;
  /** Keys of days that are shown only as part of their whole week. */
  restDays: ReadonlySet<string>;
}

/** A day of an agent. */
export interface AgentDate {
  agentId: string;
  day: string;
}

/**
 * A day of an agent with its key. The key is computed once, because a year of figures compares it thousands of times.
 */
export interface KeyedDay extends AgentDate {
  /** Result of `keyOfDay`. */
  key: string;
}

export const keyOfDay = ({ agentId, day }: AgentDate): string => `${agentId} ${day}`;
export const keyOfWeek = ({ agentId, day }: AgentDate): string => keyOfDay({ agentId, day: mondayOf(day) });

export interface DayGroup extends KeyedDay {
  /** The version or source; null for the whole day. */
  group: string | null;
  /** Number of people who count towards the minimum group size. */
  countable: number;
}

/** Returns the days on which fewer people than the minimum group size count. */
export const hiddenDays = (days: readonly DayGroup[]): DayGroup[] =>
  days.filter(({ countable }) => countable < minGroupSize);

/**
 * Determines the released days. `openDay` is the first day that is not complete. `weeks` has the number of people on
 * the hidden days of each complete week that the request covers, by the week's key.
 */
export function releaseDays(days: readonly DayGroup[], weeks: ReadonlyMap<string, number>, openDay: string): Release {
  const isRest = (day: DayGroup): boolean => (weeks.get(keyOfWeek(day)) ?? 0) >= minGroupSize;
  return {
    days: new Set(
      days.filter(({ countable, day }) => countable >= minGroupSize && day < openDay).map(({ key }) => key),
    ),
    restDays: new Set(
      hiddenDays(days)
        .filter(isRest)
        .map(({ key }) => key),
    ),
  };
}

/** Returns the keys of all days that a sum over their whole week includes. */
export const releasedTogether = ({ days, restDays }: Release): ReadonlySet<string> => new Set([...days, ...restDays]);

/** Returns whether a sum over the whole week includes a day. */
export const isReleased = ({ days, restDays }: Release, { key }: KeyedDay): boolean =>
  days.has(key) || restDays.has(key);

/**
 * Returns the groups of a day that are shown on their own. If any group is too small, the smallest of the others is
 * hidden too; otherwise the small group could be computed as the difference from the whole day.
 */
export function shownGroups(groups: readonly Pick<DayGroup, 'group' | 'countable'>[]): ReadonlySet<string | null> {
  const large = groups.filter(({ countable }) => countable >= minGroupSize);
  if (large.length < groups.length) {
    const smallest = large.toSorted((a, b) => a.countable - b.countable)[0];
    return new Set(large.filter((group) => group !== smallest).map(({ group }) => group));
  }
  return new Set(large.map(({ group }) => group));
}
