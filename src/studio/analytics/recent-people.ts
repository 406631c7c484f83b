import type { Ctx } from '../../core/ctx.ts';
import { daysBefore, mondayOf } from './analytics.input.ts';
import { personCounts } from './counted-person.ts';
import { type KeyedDay, keyOfDay } from './release.ts';
import { bitsOfHex, noDays } from './sums/day-bits.ts';

/** A day of an agent, with the version or source if requested; one object for all its people. */
interface RecentDay extends KeyedDay {
  group: string | null;
}

/** People of an agent who used it on the same days since the last sum. */
export interface RecentPeople {
  agentId: string;
  people: number;
  days: readonly RecentDay[];
  /** As far as figures reach back; of a day that is summed only whether it is in the period: `from`, or empty before it. */
  firstDay: string;
  /** Whether they count towards the size of a group. */
  counts: boolean;
  /** Whether they used the agent on one of the summed days that were given. */
  isSummed: boolean;
}

// One row for many people: those who came on one day only are most. A day is named twice for one who used two versions on it.
// The people of each agent are grouped by themselves, because the id of the agent would be compared with each of them.
// A person in a sum counts (see sum-people.ts), so accounts are read only for those in none.
// `materialized`: else the bits are made from text again for each person.
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

/** Days after the last of a period that tell who came back. */
const returnDays = 7;

interface RecentPeriod {
  /** The first day that is not summed. */
  since: string;
  from: string;
  to: string;
  by: string | null;
  /** The days before `since` that are shown, as bits, of each agent. */
  summed: ReadonlyMap<string, string>;
}

/** People who used the agents since a day that is not summed, up to a week after the period. */
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

/** People by what their days belong to, each once; `keyOf` returns null for a day that does not count. */
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

/** People in buckets of the days that are in `shown`, and those of them who are new in it. */
export function countInBuckets(rows: readonly RecentPeople[], shown: ReadonlySet<string>, isWeekly: boolean) {
  const bucketOf = ({ day, key }: RecentDay): string | null => {
    if (!shown.has(key)) return null;
    return isWeekly ? mondayOf(day) : day;
  };
  const people = countBy(rows, bucketOf);
  const newPeople = countBy(rows, bucketOf, (row, bucket) => (row.firstDay >= bucket ? row.people : 0));
  return new Map([...people].map(([key, count]) => [key, { people: count, newPeople: newPeople.get(key) ?? 0 }]));
}

/** People who used an agent on a day that is in `shown` and are not in a sum, and those of them who are new since `from`. */
export function countAdded(rows: readonly RecentPeople[], shown: ReadonlySet<string>, from: string) {
  const total = { people: 0, newPeople: 0 };
  for (const { days, people, firstDay, isSummed } of rows) {
    if (isSummed || !days.some(({ key }) => shown.has(key))) continue;
    total.people += people;
    if (firstDay >= from) total.newPeople += people;
  }
  return total;
}

/** People who were new on a day that is in `shown`, and who of them came back one and seven days later, where that is over. */
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
