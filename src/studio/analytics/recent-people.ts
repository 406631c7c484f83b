import type { Ctx } from '../../core/ctx.ts';
import { daysBefore, mondayOf } from './analytics.input.ts';
import { personCounts } from './counted-person.ts';
import { type KeyedDay, keyOfDay } from './release.ts';
import { bitsOfHex, noDays } from './sums/day-bits.ts';

/** A day of an agent, with the version or source if requested. All people of the day share one object. */
interface RecentDay extends KeyedDay {
  group: string | null;
}

/** People who used an agent on the same days since the last aggregation. */
export interface RecentPeople {
  agentId: string;
  people: number;
  days: readonly RecentDay[];
  /**
   * First day on which they used the agent. If that day is already aggregated, it is only `from` for a day in the
   * period, or '' for an earlier one.
   */
  firstDay: string;
  /** Whether they count towards the minimum group size. */
  counts: boolean;
  /** Whether they also used the agent on one of the given aggregated days. */
  isSummed: boolean;
}

// Groups people with identical days, because most use an agent on one day only. A day repeats for a person who used two
// versions on it. The lateral join groups the people of each agent separately, which saves comparing the agent's id for
// every row. Aggregated people always count (see sum-people.ts), so accounts are read only for the others.
// `materialized` prevents PostgreSQL from decoding the bitmap again for each person.
const read = {
  name: 'studio_recent_people',
  text: `
    with given as materialized (
      select agent_id, ${bitsOfHex('hex')} as days from unnest($4::text[], $5::text[]) as g (agent_id, hex)
    ), used as (
      select a.id as agent_id, p.* from unnest($1::text[]) a (id) cross join lateral (
        select d.subject, min(d.user_id) as user_id, min(d.day) as first_day,
          string_agg((d.day - $2::date) || case $8 when 'version' then ':' || d.version_number when 'source' then ':' || d.source else '' end, ',') as days
        from agent_day_users d where d.agent_id = a.id and d.day between $2 and $3 group by d.subject
      ) p
    ), person as (
      select r.agent_id, r.days, least(r.first_day, p.first_day) as first_day,
        p.subject is not null or (
          select ${personCounts('r.subject', 'u', '$6')} from users u where u.id = r.user_id) as counts,
        coalesce(p.days & g.days <> ${noDays}, false) as is_summed
      from used r left join agent_people p on p.agent_id = r.agent_id and p.subject = r.subject
      left join given g on g.agent_id = r.agent_id
    )
    select agent_id as "agentId", days, counts, is_summed as "isSummed", count(*) as people, case
      when first_day >= $2 then to_char(first_day, 'YYYY-MM-DD') when first_day >= $7::text::date then $7 else '' end as "firstDay"
    from person group by agent_id, days, counts, is_summed, "firstDay"`,
};

/** Days after a period that are read to find people who returned. */
const returnDays = 7;

interface RecentPeriod {
  /** First day that is not aggregated. */
  since: string;
  from: string;
  to: string;
  by: string | null;
  /** Bitmap of the shown days before `since`, by agent. */
  summed: ReadonlyMap<string, string>;
}

/** Returns the people who used the agents from `since` until a week after the period. */
export async function readRecentPeople(
  ctx: Ctx,
  agentIds: readonly string[],
  { since, from, to, by, summed }: RecentPeriod,
): Promise<RecentPeople[]> {
  const until = daysBefore(to, -returnDays);
  if (until < since) return [];
  const values = [agentIds, since, until, [...summed.keys()], [...summed.values()], ctx.clock.now(), from, by];
  const rows = await ctx.sql<Omit<RecentPeople, 'days'> & { days: string }>(read, values);
  const known = new Map<string, Map<string, RecentDay>>();
  return rows.map((row) => {
    const { agentId } = row;
    const daysOfAgent = known.get(agentId) ?? new Map<string, RecentDay>();
    known.set(agentId, daysOfAgent);
    const dayOf = (text: string): RecentDay => {
      const found = daysOfAgent.get(text);
      if (found) return found;
      const [offset, group = null] = text.split(':');
      const date = { agentId, day: daysBefore(since, -Number(offset)) };
      const day = { ...date, key: keyOfDay(date), group };
      daysOfAgent.set(text, day);
      return day;
    };
    return { ...row, days: row.days.split(',').map(dayOf) };
  });
}

/** Counts people by the key of their days. A person counts once per key; days with the key null are ignored. */
export function countBy<Key extends string | RecentDay>(
  rows: readonly RecentPeople[],
  keyOf: (day: RecentDay) => Key | null,
  weightOf: (row: RecentPeople, key: Key) => number = ({ people }) => people,
): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const row of rows) {
    const keys = new Set(row.days.map(keyOf));
    for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + weightOf(row, key));
  }
  return counts;
}

/** Counts people and new people on the days in `shown`, per day or per week. */
export function countInBuckets(rows: readonly RecentPeople[], shown: ReadonlySet<string>, isWeekly: boolean) {
  const bucketOf = ({ day, key }: RecentDay): string | null => {
    if (!shown.has(key)) return null;
    return isWeekly ? mondayOf(day) : day;
  };
  const people = countBy(rows, bucketOf);
  const newPeople = countBy(rows, bucketOf, (row, bucket) => (row.firstDay >= bucket ? row.people : 0));
  return new Map([...people].map(([key, count]) => [key, { people: count, newPeople: newPeople.get(key) ?? 0 }]));
}

/** Counts people and new people on the days in `shown`, without those already counted in sums. */
export function countAdded(rows: readonly RecentPeople[], shown: ReadonlySet<string>, from: string) {
  const total = { people: 0, newPeople: 0 };
  for (const { days, people, firstDay, isSummed } of rows) {
    if (isSummed || !days.some(({ key }) => shown.has(key))) continue;
    total.people += people;
    if (firstDay >= from) total.newPeople += people;
  }
  return total;
}

/**
 * Counts people who were new on a day in `shown`, and those of them who returned one and seven days later. Days whose
 * return date is not over are left out.
 */
export function countReturned(rows: readonly RecentPeople[], shown: ReadonlySet<string>, today: string) {
  const sums = { base1: 0, base7: 0, back1: 0, back7: 0 };
  const [yesterday, weekAgo] = [daysBefore(today, 1), daysBefore(today, 7)];
  for (const { agentId, days, people, firstDay } of rows) {
    if (!shown.has(keyOfDay({ agentId, day: firstDay }))) continue;
    const backAfter = (count: number): number => {
      const back = daysBefore(firstDay, -count);
      return days.some(({ day }) => day === back) ? people : 0;
    };
    if (firstDay < yesterday) [sums.base1, sums.back1] = [sums.base1 + people, sums.back1 + backAfter(1)];
    if (firstDay < weekAgo) [sums.base7, sums.back7] = [sums.base7 + people, sums.back7 + backAfter(7)];
  }
  return sums;
}
