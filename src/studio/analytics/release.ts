import { mondayOf } from './analytics.input.ts';
import { leastGroup } from './counted-person.ts';

/**
 * Which figures may be shown. Everything that is shown adds up from parts that each rest on at least five people, so no
 * difference of two answers isolates fewer:
 *
 * - a day of an agent is a part when it is over and five people used the agent on it;
 * - its other days of a week are one part together, when the week is over, five people used it on them and the request covers
 *   the whole week;
 * - what is in no part is in no figure but the public numbers of messages and conversations.
 *
 * Nothing is added to a day that is over, so the difference between two looks at a part isolates no one either.
 *
 * Several agents together show what each shows by itself: else the difference would be an agent that few people use.
 */
export interface Release {
  /** Keys of days that are shown by themselves. */
  days: ReadonlySet<string>;
  /** Keys of days that are shown only together with the rest of their week. */
  restDays: ReadonlySet<string>;
}

/** A day of an agent. */
export interface AgentDate {
  agentId: string;
  day: string;
}

/** A day of an agent with its key, which is made once: the figures of a year compare it thousands of times. */
export interface KeyedDay extends AgentDate {
  /** See `keyOfDay`. */
  key: string;
}

export const keyOfDay = ({ agentId, day }: AgentDate): string => `${agentId} ${day}`;
export const keyOfWeek = ({ agentId, day }: AgentDate): string => keyOfDay({ agentId, day: mondayOf(day) });

export interface DayGroup extends KeyedDay {
  /** The version or source; null for the whole day. */
  group: string | null;
  /** People who count towards the size of a group. */
  countable: number;
}

export const hiddenDays = (days: readonly DayGroup[]): DayGroup[] =>
  days.filter(({ countable }) => countable < leastGroup);

/**
 * Releases days before `openDay`, the first that is not over. `weeks` has the people of the hidden days of each week that is over
 * and that the request covers, by its key.
 */
export function releaseDays(days: readonly DayGroup[], weeks: ReadonlyMap<string, number>, openDay: string): Release {
  const isRest = (day: DayGroup): boolean => (weeks.get(keyOfWeek(day)) ?? 0) >= leastGroup;
  return {
    days: new Set(days.filter(({ countable, day }) => countable >= leastGroup && day < openDay).map(({ key }) => key)),
    restDays: new Set(
      hiddenDays(days)
        .filter(isRest)
        .map(({ key }) => key),
    ),
  };
}

/** Keys of all days that are in a sum that holds their whole week. */
export const releasedTogether = ({ days, restDays }: Release): ReadonlySet<string> => new Set([...days, ...restDays]);

/** Whether a day is in a sum that holds its whole week. */
export const isReleased = ({ days, restDays }: Release, { key }: KeyedDay): boolean =>
  days.has(key) || restDays.has(key);

/**
 * The groups of a day that are shown by themselves. When one is too small, the smallest of the others is hidden with it,
 * so that the difference to the whole day is no smaller than that.
 */
export function shownGroups(groups: readonly Pick<DayGroup, 'group' | 'countable'>[]): ReadonlySet<string | null> {
  const large = groups.filter(({ countable }) => countable >= leastGroup);
  if (large.length < groups.length) {
    const smallest = large.toSorted((a, b) => a.countable - b.countable)[0];
    return new Set(large.filter((group) => group !== smallest).map(({ group }) => group));
  }
  return new Set(large.map(({ group }) => group));
}
