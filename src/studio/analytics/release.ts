import { minGroupSize } from './counted-person.ts';
import { recentUse } from './recent-people.ts';
import { bitOfDay, hasDay } from './sums/day-bits.ts';
import { mondayOfDay, type QueryValues, values } from './query-values.ts';

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
 *
 * This is decided in SQL, because the days of a thousand agents would not fit into a request of the process.
 */

/** How a day may be shown: `alone`, only as part of its whole `week`, or only in the public numbers (`hidden`). */
export const releases = ['alone', 'week', 'hidden'] as const;
export type Release = (typeof releases)[number];

const { agents, from, to, since, openDay } = values;

/** Whether the week of a day is complete and the request covers all of it. */
const isWholeWeek = (day: string): string =>
  `(${mondayOfDay(day)} >= ${from} and ${mondayOfDay(day)} + 6 <= ${to} and ${mondayOfDay(day)} + 6 < ${openDay})`;

const releaseOf = (day: string, people: string, hasLargeRest: string): string => `case
  when ${people} >= ${minGroupSize} then case when ${day} < ${openDay} then 'alone' else 'hidden' end
  when ${hasLargeRest} and ${isWholeWeek(day)} then 'week' else 'hidden' end`;

/**
 * Returns the common table expressions of the used days. `released` has all of them with their release, and
 * `released_bits` the shown ones of each agent as bitmaps; `summed` has those of settled weeks, with the sums of their
 * people. In `recent_uses` are the days on which recent people used the agents.
 */
// Rows of single days are joined to a bitmap of their agent instead of to the days: PostgreSQL cannot estimate the number
// of these days and would sort or compare all rows.
export const releasedDays = ({ groupOfUse, groupsOfSum }: QueryValues): string => `
  large_rests as materialized (
    select agent_id, bit_or(${bitOfDay('week')}) as weeks from agent_week_people
    where agent_id = any (${agents}) and week between ${from} and ${to} and rest_people >= ${minGroupSize} group by agent_id
  ), summed as materialized (
    select d.agent_id, d.day, d.people, d.new_people, d.back_d1, d.back_d7, ${groupsOfSum} as groups,
      ${releaseOf('d.day', 'd.people', hasDay('r.weeks', mondayOfDay('d.day')))} as release
    from agent_day_people d left join large_rests r on r.agent_id = d.agent_id
    where d.agent_id = any (${agents}) and d.day between ${from} and least(${to}, ${since} - 1)
  ), shown_sums as materialized (
    select agent_id, bit_or(${bitOfDay('day')}) as days from summed where release <> 'hidden' group by agent_id
  ), ${recentUse(groupOfUse)}, recent_sizes as materialized (
    select agent_id, day, coalesce(sum(people) filter (where counts), 0) as people
    from (select distinct id, agent_id, day, people, counts from recent_uses where day between ${from} and ${to}) u
    group by agent_id, day
  ), recent_rests as materialized (
    select agent_id, week, sum(people) as people
    from (
      select distinct u.id, u.agent_id, ${mondayOfDay('u.day')} as week, u.people
      from recent_uses u join recent_sizes s using (agent_id, day)
      where u.counts and s.people < ${minGroupSize}
    ) u group by agent_id, week
  ), recent_days as materialized (
    select s.agent_id, s.day, ${releaseOf('s.day', 's.people', `r.people >= ${minGroupSize}`)} as release
    from recent_sizes s left join recent_rests r on r.agent_id = s.agent_id and r.week = ${mondayOfDay('s.day')}
  ), released as materialized (
    select agent_id, day, release from summed union all select agent_id, day, release from recent_days
  ), released_bits as materialized (
    select agent_id, bit_or(${bitOfDay('day')}) filter (where release = 'alone') as alone,
      bit_or(${bitOfDay('day')}) filter (where release = 'week') as week
    from released group by agent_id
  )`;
