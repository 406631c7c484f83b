import type { Ctx } from '../../core/ctx.ts';
import { leastGroup, personCounts } from './counted-person.ts';
import { type AgentDate, type DayGroup, keyOfDay } from './release.ts';

const groupOf = `case $5 when 'version' then d.version_number::text when 'source' then d.source end`;
const usedOn = `agent_day_users d join users u on u.id = d.user_id where d.agent_id = any ($1)`;
const counts = personCounts('d.subject', 'u', '$4');

const groupsOfDays = {
  name: 'studio_day_groups',
  text: `
    select d.agent_id as "agentId", to_char(d.day, 'YYYY-MM-DD') as day, case grouping(${groupOf}) when 0 then ${groupOf} end as "group",
      grouping(${groupOf}) = 1 as "isWhole", count(distinct d.subject) filter (where ${counts}) as countable
    from ${usedOn} and d.day between $2 and $3
    group by grouping sets ((d.agent_id, d.day), (d.agent_id, d.day, ${groupOf}))`,
};

export interface DayPeople {
  wholeDays: DayGroup[];
  groups: DayGroup[];
}

/** People who count on each day of each agent in a period, and on each by version or source. */
export async function readDayPeople(
  ctx: Ctx,
  agentIds: readonly string[],
  { from, to, by }: { from: string; to: string; by: string | null },
): Promise<DayPeople> {
  const rows = await ctx.sql<DayGroup & { isWhole: boolean }>(groupsOfDays, [agentIds, from, to, ctx.clock.now(), by]);
  return { wholeDays: rows.filter(({ isWhole }) => isWhole), groups: rows.filter(({ isWhole }) => !isWhole) };
}

// The distinct agents and days let the planner estimate the rows; the pairs say which days are of which agent.
const isGiven = `d.agent_id = any ($1) and d.day = any ($2::date[])
  and (d.agent_id, d.day) in (select * from unnest($3::text[], $4::date[]))`;

function arraysOf(given: readonly AgentDate[]): string[][] {
  const [agents, days] = [given.map(({ agentId }) => agentId), given.map(({ day }) => day)];
  return [[...new Set(agents)], [...new Set(days)], agents, days];
}

const restsOfWeeks = {
  name: 'studio_week_rests',
  text: `
    select d.agent_id as "agentId", to_char(date_trunc('week', d.day), 'YYYY-MM-DD') as day, count(distinct d.subject) as people
    from agent_day_users d join users u on u.id = d.user_id where ${isGiven} and ${personCounts('d.subject', 'u', '$5')}
    group by 1, 2`,
};

/** People who count on the given days, by the key of the week. */
export async function readWeekRests(ctx: Ctx, days: readonly AgentDate[]): Promise<ReadonlyMap<string, number>> {
  if (days.length === 0) return new Map();
  const values = [...arraysOf(days), ctx.clock.now()];
  const rows = await ctx.sql<AgentDate & { people: number }>(restsOfWeeks, values);
  return new Map(rows.map((row) => [keyOfDay(row), row.people]));
}

const bucketOf = `case $5 when 'week' then date_trunc('week', d.day)::date else d.day end`;

// New are those whose first day with an agent, as far as figures reach back, is in the bucket. A person of two agents counts
// twice: else the people whom both have would follow from the counts of each and of both together.
const countInBuckets = {
  name: 'studio_people',
  text: `
    with f as (
      select agent_id, subject, min(day) as first_day from agent_day_users where agent_id = any ($7) group by agent_id, subject
    ), used as (
      select distinct d.agent_id, d.subject, ${bucketOf} as bucket from agent_day_users d where ${isGiven}
    )
    select to_char(bucket, 'YYYY-MM-DD') as bucket, count(distinct agent_id || subject) as people,
      count(distinct agent_id || subject) filter (where first_day >= bucket and first_day < bucket + case $5 when 'week' then 7 else 1 end)
        as "newPeople",
      count(distinct agent_id || subject) filter (where first_day >= $6::date) as "newInPeriod"
    from used join f using (agent_id, subject)
    group by grouping sets ((), (bucket))`,
};

export interface PeopleCount {
  people: number;
  newPeople: number;
}

/** People in each bucket, by its first day, and in all under ''. Only the given days count. */
export async function readPeople(
  ctx: Ctx,
  agentIds: readonly string[],
  { days, granularity, from }: { days: readonly AgentDate[]; granularity: string; from: string },
): Promise<ReadonlyMap<string, PeopleCount>> {
  const rows = await ctx.sql<PeopleCount & { bucket: string | null; newInPeriod: number }>(countInBuckets, [
    ...arraysOf(days),
    granularity,
    from,
    agentIds,
  ]);
  return new Map(
    rows.map(({ bucket, people, newPeople, newInPeriod }) => [
      bucket ?? '',
      { people, newPeople: bucket === null ? newInPeriod : newPeople },
    ]),
  );
}

const countReturned = {
  name: 'studio_retention',
  text: `
    with f as (
      select agent_id, subject, min(day) as first_day from agent_day_users where agent_id = any ($1) group by agent_id, subject
    ), cohort as (select agent_id, subject, first_day from f where first_day = any ($2::date[]))
    select count(*) filter (where first_day < $3::date - 1) as "base1", count(*) filter (where first_day < $3::date - 7) as "base7",
      count(*) filter (where first_day < $3::date - 1 and exists (
        select from agent_day_users d where d.agent_id = c.agent_id and d.subject = c.subject and d.day = c.first_day + 1)) as "back1",
      count(*) filter (where first_day < $3::date - 7 and exists (
        select from agent_day_users d where d.agent_id = c.agent_id and d.subject = c.subject and d.day = c.first_day + 7)) as "back7"
    from cohort c`,
};

export interface Retention {
  retentionD1: number | null;
  retentionD7: number | null;
}

/** Shares of the people who were new on the given days and came back one and seven days later. */
export async function readRetention(
  ctx: Ctx,
  agentIds: readonly string[],
  days: readonly string[],
): Promise<Retention> {
  const [row] = await ctx.sql<Record<'base1' | 'base7' | 'back1' | 'back7', number>>(countReturned, [
    agentIds,
    days,
    ctx.clock.now(),
  ]);
  const share = (back = 0, base = 0): number | null => (base < leastGroup ? null : back / base);
  return { retentionD1: share(row?.back1, row?.base1), retentionD7: share(row?.back7, row?.base7) };
}
