import { bucketOfDay, mondayOfDay, values } from './query-values.ts';
import { hasDay, noDays } from './sums/day-bits.ts';

const { from, since, now, isWeekly } = values;

const today = `(${now} at time zone 'utc')::date`;
const isShown = `release <> 'hidden'`;
const isShownUse = `(${hasDay('b.alone', 'u.day')} or ${hasDay('b.week', 'u.day')})`;
/** Whether a bucket of the series includes a day. */
const isInSeries = `(${hasDay('b.alone', 'u.day')} or ${isWeekly} and ${hasDay('b.week', 'u.day')})`;
/** Whether recent people were new on a shown day. Earlier first days have no bit. */
const wereNew = `case when p.first_day >= ${since} then ${hasDay('b.alone', 'p.first_day')} or ${hasDay('b.week', 'p.first_day')} else false end`;
const daysOfPeople = '(select distinct id, day from recent_uses)';

/**
 * Common table expressions with the numbers of people. `people_of_buckets` has a row per bucket, with people and new
 * people on the days that the bucket includes; `people_in_total` has one row, with the people who were new on shown
 * days, and how many of them returned one and seven days later. A person who uses two agents counts twice: the overlap
 * of two agents could otherwise be computed from their separate and joint counts.
 */
export const countedPeople = `
  people_of_buckets as (
    select bucket, sum(people) as people, sum(new_people) as new_people from (
      select bucket, people, case when first_day >= bucket then people else 0 end as new_people from (
        select distinct u.id, u.people, u.first_day, ${bucketOfDay('u.day')} as bucket
        from recent_uses u join released_bits b using (agent_id) where ${isInSeries}
      ) recent
      union all
      select day, people, new_people from summed where not ${isWeekly} and release = 'alone'
      union all
      select w.week, w.people, w.new_people from (
        select distinct agent_id, ${mondayOfDay('day')} as week from summed where ${isWeekly} and ${isShown}
      ) shown join agent_week_people w using (agent_id, week)
    ) counted group by bucket
  ), summed_people as (
    select count(*) as people, count(*) filter (where p.first_day >= ${from}) as new_people
    from shown_sums s join agent_people p on p.agent_id = s.agent_id where p.days & s.days <> ${noDays}
  ), added_people as (
    select coalesce(sum(people), 0) as people, coalesce(sum(people) filter (where first_day >= ${from}), 0) as new_people
    from recent_people p where not is_summed and exists (
      select from recent_uses u join released_bits b using (agent_id) where u.id = p.id and ${isShownUse})
  ), summed_returns as (
    select coalesce(sum(new_people), 0) as base, coalesce(sum(back_d1), 0) as back1, coalesce(sum(back_d7), 0) as back7
    from summed where ${isShown}
  ), recent_returns as (
    select coalesce(sum(people) filter (where first_day < ${today} - 1), 0) as base1,
      coalesce(sum(people) filter (where first_day < ${today} - 7), 0) as base7,
      coalesce(sum(people) filter (where first_day < ${today} - 1 and next.id is not null), 0) as back1,
      coalesce(sum(people) filter (where first_day < ${today} - 7 and seventh.id is not null), 0) as back7
    from recent_people p join released_bits b on b.agent_id = p.agent_id
    left join ${daysOfPeople} next on next.id = p.id and next.day = p.first_day + 1
    left join ${daysOfPeople} seventh on seventh.id = p.id and seventh.day = p.first_day + 7
    where ${wereNew}
  ), people_in_total as (
    select s.people + a.people as people, s.new_people + a.new_people as new_people, r.base + n.base1 as base1,
      r.base + n.base7 as base7, r.back1 + n.back1 as back1, r.back7 + n.back7 as back7
    from summed_people s, added_people a, summed_returns r, recent_returns n
  )`;

/** A common table expression with the numbers of used days per bucket, in all and by release. */
export const usedDays = `
  used_days as (
    select ${bucketOfDay('day')} as bucket, count(*) as used, count(*) filter (where release = 'alone') as alone,
      count(*) filter (where ${isShown}) as shown
    from released group by 1
  )`;
