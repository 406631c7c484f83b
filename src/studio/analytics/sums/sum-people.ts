import type { Ctx } from '../../../core/ctx.ts';
import { inTransaction } from '../../../core/database/transaction.ts';
import { daysBefore, daysBetween, mondayOf } from '../analytics.input.ts';
import { openDayOf, readCompleteUntil } from '../complete-until.ts';
import { minGroupSize } from '../counted-person.ts';
import { keptDays } from '../partitions.ts';
import { bitOfDay, bitsOfHex, hexOfDays } from './day-bits.ts';

/**
 * Days after which a week is final. By then, all of its days are over, every account that used an agent is more than
 * seven days old and thus countable (counted-person.ts), and returns after seven days have happened.
 */
const settledDays = 8;

const agentsAtOnce = 50;
const agentsOfPage = 2_000;

const ofWeek = `d.agent_id = any ($1) and d.day >= $2::date and d.day < $2::date + 7`;

const sumPersons = {
  name: 'studio_sum_people',
  text: `
    insert into agent_people as p (agent_id, subject, user_id, first_day, last_day, days)
    select d.agent_id, d.subject, min(d.user_id), min(d.day), max(d.day), bit_or(${bitOfDay('d.day')})
    from agent_day_users d where ${ofWeek}
    group by d.agent_id, d.subject order by d.agent_id, d.subject
    on conflict (agent_id, subject) do update set first_day = least(p.first_day, excluded.first_day),
      last_day = greatest(p.last_day, excluded.last_day), days = (p.days & ${bitsOfHex('$3')}) | excluded.days`,
};
const backAfter = (days: number): string => `count(distinct subject) filter (where is_new and exists (
  select from agent_day_users n where n.agent_id = used.agent_id and n.subject = used.subject and n.day = used.day + ${days}
    and n.day between $2::date and $2::date + 13))`;
const groupSums = (group: string): string => `
  (select agent_id, day, jsonb_object_agg("group", people) as people from (
    select agent_id, day, ${group} as "group", count(distinct subject) as people from used group by 1, 2, 3
  ) sized group by agent_id, day)`;
const sumDays = {
  name: 'studio_sum_days',
  text: `
    with used as materialized (
      select d.agent_id, d.day, d.subject, d.version_number, d.source, p.first_day = d.day as is_new
      from agent_day_users d join agent_people p using (agent_id, subject) where ${ofWeek}
    ), sums as (
      select agent_id, day, count(distinct subject) as people, count(distinct subject) filter (where is_new) as new_people,
        ${backAfter(1)} as back_d1, ${backAfter(7)} as back_d7
      from used group by agent_id, day
    )
    insert into agent_day_people (agent_id, day, people, new_people, back_d1, back_d7, by_version, by_source)
    select agent_id, day, s.people, s.new_people, s.back_d1, s.back_d7, v.people, o.people
    from sums s join ${groupSums('version_number')} v using (agent_id, day) join ${groupSums('source')} o using (agent_id, day)
    order by agent_id, day
    on conflict (agent_id, day) do update set people = excluded.people, new_people = excluded.new_people,
      back_d1 = excluded.back_d1, back_d7 = excluded.back_d7, by_version = excluded.by_version, by_source = excluded.by_source`,
};
const sumWeeks = {
  name: 'studio_sum_weeks',
  text: `
    with used as materialized (
      select distinct d.agent_id, d.day, d.subject, p.first_day >= $2::date as is_new
      from agent_day_users d join agent_people p using (agent_id, subject) where ${ofWeek}
    ), sized as (
      select agent_id, day, count(*) < ${minGroupSize} as is_rest from used group by agent_id, day
    ), rests as (
      select agent_id, count(distinct subject) filter (where is_rest) as people
      from used join sized using (agent_id, day) group by agent_id
    ), shown as (
      select agent_id, count(distinct subject) as people, count(distinct subject) filter (where is_new) as new_people
      from used join sized using (agent_id, day) join rests r using (agent_id)
      where not is_rest or r.people >= ${minGroupSize} group by agent_id
    )
    insert into agent_week_people (agent_id, week, people, new_people, rest_people)
    select agent_id, $2::date, coalesce(s.people, 0), coalesce(s.new_people, 0), r.people
    from rests r left join shown s using (agent_id) order by agent_id
    on conflict (agent_id, week) do update set people = excluded.people, new_people = excluded.new_people,
      rest_people = excluded.rest_people`,
};

const listUsed = {
  name: 'studio_sum_agents',
  text: `
    select a.id, exists (
      select from agent_day_users d where d.agent_id = a.id and d.day >= $2::date and d.day < $2::date + 7) as "isUsed"
    from (select id from agents where id > $1 order by id limit ${agentsOfPage}) a order by a.id`,
};
const readUntil = {
  name: 'studio_summed_until',
  text: `select to_char(summed_until, 'YYYY-MM-DD') as until from studio_sums`,
};
const advance = {
  name: 'studio_sums_advance',
  text: `
    insert into studio_sums as s (summed_until) values ($1)
    on conflict (id) do update set summed_until = greatest(s.summed_until, excluded.summed_until)`,
};

/** A date before any data. */
const never = '0001-01-01';

/** Returns the Monday of the first week that is not aggregated. */
export async function readSummedUntil({ sql }: Ctx): Promise<string> {
  const [row] = await sql<{ until: string }>(readUntil);
  return row?.until ?? never;
}

/**
 * Aggregates the people of each settled week that is not aggregated yet. If it is interrupted, the next run repeats the
 * week from its beginning; this is idempotent.
 */
export async function sumPeople(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const openDay = openDayOf(await readCompleteUntil(ctx));
  const oldest = mondayOf(daysBefore(openDay, keptDays));
  const until = await readSummedUntil(ctx);
  for (let week = until > oldest ? until : oldest; ; week = daysBefore(week, -7)) {
    if (daysBefore(week, -6) >= daysBefore(openDay, settledDays)) return;
    await sumWeek(ctx, week, signal);
    await ctx.sql(advance, [daysBefore(week, -7)]);
  }
}

async function sumWeek(ctx: Ctx, week: string, signal: AbortSignal): Promise<void> {
  const kept = hexOfDays(daysBetween(daysBefore(week, keptDays), daysBefore(week, -6)));
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const page = await ctx.sql<{ id: string; isUsed: boolean }>(listUsed, [after, week]);
    const used = page.filter(({ isUsed }) => isUsed).map(({ id }) => id);
    for (let i = 0; i < used.length; i += agentsAtOnce) {
      signal.throwIfAborted();
      const agents = used.slice(i, i + agentsAtOnce);
      await inTransaction(ctx, async (tx) => {
        await tx.sql(sumPersons, [agents, week, kept]);
        await tx.sql(sumDays, [agents, week]);
        await tx.sql(sumWeeks, [agents, week]);
      });
    }
    const last = page.at(-1);
    if (!last || page.length < agentsOfPage) return;
    after = last.id;
  }
}
