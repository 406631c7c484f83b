import { personCounts } from './counted-person.ts';
import { values } from './query-values.ts';
import { noDays } from './sums/day-bits.ts';

const { agents, from, to, since, now } = values;

/** Days after a period that are read to find people who returned. */
const returnDays = 7;

/** The first day of people who used the agent before the period, on days that are aggregated. */
const earlier = `'-infinity'::date`;

/**
 * Returns the common table expressions of the people who used the agents after the last aggregation, until a week after
 * the period. A row of `recent_people` is the people of an agent with identical days, because most use an agent on one
 * day only; `recent_uses` has these days, by version or source if requested.
 *
 * `first_day` is the first day on which they used the agent. If that day is aggregated, it is only `from` for a day in
 * the period. `counts` is whether they count towards the minimum group size, and `is_summed` whether they used the
 * agent also on one of the aggregated days that are shown.
 */
// The lateral join groups the people of each agent separately, which saves comparing the agent's id for every row.
// Aggregated people always count (see sum-people.ts), so accounts are read only for the others.
export const recentUse = (groupOfUse: string | null): string => `
  recent_people as materialized (
    select row_number() over () as id, agent_id, days, first_day, counts, is_summed, count(*)::integer as people
    from (
      select r.agent_id, r.days, p.subject is not null or (
          select ${personCounts('r.subject', 'u', now)} from users u where u.id = r.user_id) as counts,
        coalesce(p.days & s.days <> ${noDays}, false) as is_summed,
        case when least(r.first_day, p.first_day) >= ${since} then least(r.first_day, p.first_day)
          when least(r.first_day, p.first_day) >= ${from} then ${from} else ${earlier} end as first_day
      from (
        select a.id as agent_id, used.* from unnest(${agents}) a (id) cross join lateral (
          select d.subject, min(d.user_id) as user_id, min(d.day) as first_day,
            string_agg((d.day - ${since})${groupOfUse === null ? '::text' : ` || ':' || ${groupOfUse}`}, ',') as days
          from agent_day_users d where d.agent_id = a.id and d.day between ${since} and ${to} + ${returnDays} group by d.subject
        ) used
      ) r left join agent_people p on p.agent_id = r.agent_id and p.subject = r.subject
      left join shown_sums s on s.agent_id = r.agent_id
    ) person group by agent_id, days, first_day, counts, is_summed
  ), recent_uses as materialized (
    select distinct p.id, p.agent_id, p.people, p.first_day, p.counts, ${since} + split_part(used, ':', 1)::integer as day,
      nullif(split_part(used, ':', 2), '') as "group"
    from recent_people p, unnest(string_to_array(p.days, ',')) used
  )`;
