import type { Ctx } from '../../core/ctx.ts';
import { daysBefore, mondayOf } from './analytics.input.ts';
import { minGroupSize } from './counted-person.ts';
import {
  countAdded,
  countBy,
  countInBuckets,
  countReturned,
  type RecentPeople,
  readRecentPeople,
} from './recent-people.ts';
import {
  type DayGroup,
  hiddenDays,
  keyOfDay,
  keyOfWeek,
  type Release,
  releaseDays,
  releasedTogether,
} from './release.ts';
import { hexOfDays } from './sums/day-bits.ts';
import { countSummed, type DaySums, readDaySums, readWeekSums, type WeekSums } from './sums/read-sums.ts';

export interface PeopleCount {
  people: number;
  newPeople: number;
}

export interface Retention {
  retentionD1: number | null;
  retentionD7: number | null;
}

/** The numbers of people who used the requested agents, as far as they may be shown. */
export interface People {
  /** Countable people by day, and in `groups` by day and version or source. */
  wholeDays: DayGroup[];
  groups: DayGroup[];
  release: Release;
  /**
   * People per bucket, by the first day of the bucket, and in total under ''. Only released days are included, in
   * buckets of a day only those released on their own.
   */
  counts: ReadonlyMap<string, PeopleCount>;
  retention: Retention;
}

interface Period {
  from: string;
  to: string;
  by: string | null;
  granularity: string;
  /** First day that is not complete yet. */
  openDay: string;
  /** First day that is not aggregated in the weekly sums. */
  summedUntil: string;
}

/**
 * Counts the people of a period, from sums for settled weeks and from single rows for later days. A person who uses two
 * agents counts twice: the overlap of two agents could otherwise be computed from their separate and joint counts.
 */
export async function readPeople(ctx: Ctx, agentIds: readonly string[], period: Period): Promise<People> {
  const { from, to, openDay, summedUntil: since, by } = period;
  const isWhole = ({ day }: { day: string }): boolean => isWholeWeek(day, period);
  const { sums, weeks } = await readSums(ctx, agentIds, period);
  const summedDays = sums.map(({ agentId, day, key, people }) => ({
    agentId,
    day,
    key,
    group: null,
    countable: people,
  }));
  const wholeWeeks = [...weeks.values()].filter(isWhole);
  const restsOfSums = new Map(wholeWeeks.map((week) => [keyOfDay(week), week.restPeople]));
  const ofSums = releaseDays(summedDays, restsOfSums, openDay);
  const shownOfSums = releasedTogether(ofSums);
  const shownSums = sums.filter(({ key }) => shownOfSums.has(key));
  const bits = [...Map.groupBy(shownSums, ({ agentId }) => agentId)].map(
    ([agentId, days]) => [agentId, hexOfDays(days.map(({ day }) => day))] as const,
  );
  const [recent, summed] = await Promise.all([
    readRecentPeople(ctx, agentIds, { since, from, to, by, summed: new Map(bits) }),
    countSummed(ctx, bits, from),
  ]);

  const used = [...new Set(recent.flatMap(({ days }) => days))].filter(({ day }) => day >= from && day <= to);
  const countable = ({ people, counts }: RecentPeople): number => (counts ? people : 0);
  const ofDays = countBy(recent, ({ key }) => key, countable);
  const recentDays = [...new Map(used.map((date) => [date.key, date])).values()].map((date): DayGroup => ({
    ...date,
    group: null,
    countable: ofDays.get(date.key) ?? 0,
  }));
  const ofGroups = by === null ? [] : [...countBy(recent, (date) => date, countable)];
  const recentGroups = ofGroups.map(([date, count]): DayGroup => ({ ...date, countable: count }));
  const hidden = new Set(
    hiddenDays(recentDays)
      .filter(isWhole)
      .map(({ key }) => key),
  );
  const rests = countBy(recent, (date) => (hidden.has(date.key) ? keyOfWeek(date) : null), countable);
  const ofRecent = releaseDays(recentDays, rests, openDay);
  const shownRecent = releasedTogether(ofRecent);

  const isWeekly = period.granularity === 'week';
  const buckets = countInBuckets(recent, isWeekly ? shownRecent : ofRecent.days, isWeekly);
  const add = (bucket: string, count: PeopleCount): void => {
    const known = buckets.get(bucket) ?? { people: 0, newPeople: 0 };
    buckets.set(bucket, { people: known.people + count.people, newPeople: known.newPeople + count.newPeople });
  };
  if (isWeekly) {
    const shownWeeks = new Set(shownSums.map(keyOfWeek));
    for (const [key, week] of weeks) if (shownWeeks.has(key)) add(week.day, week);
  } else {
    for (const day of shownSums) if (ofSums.days.has(day.key)) add(day.day, day);
  }
  const added = countAdded(recent, shownRecent, from);
  // Sums still include purged accounts and the others do not, so the total is raised to the largest bucket.
  const all = [...buckets.values()];
  const newPeople = Math.max(summed.newPeople + added.newPeople, ...all.map((bucket) => bucket.newPeople));
  const people = Math.max(summed.people + added.people, newPeople, ...all.map((bucket) => bucket.people));
  const today = ctx.clock.now().toISOString().slice(0, 10);
  return {
    wholeDays: [...summedDays, ...recentDays],
    groups: [...sums.flatMap(groupsOf), ...recentGroups],
    release: {
      days: new Set([...ofSums.days, ...ofRecent.days]),
      restDays: new Set([...ofSums.restDays, ...ofRecent.restDays]),
    },
    counts: buckets.set('', { people, newPeople }),
    retention: retentionOf(shownSums, countReturned(recent, shownRecent, today)),
  };
}

const isWholeWeek = (day: string, { from, to, openDay }: Period): boolean => {
  const monday = mondayOf(day);
  const sunday = daysBefore(monday, -6);
  return monday >= from && sunday <= to && sunday < openDay;
};

async function readSums(
  ctx: Ctx,
  agentIds: readonly string[],
  { from, to, by, summedUntil }: Period,
): Promise<{ sums: DaySums[]; weeks: ReadonlyMap<string, WeekSums> }> {
  const lastSummed = daysBefore(summedUntil, 1);
  const summed = { from, to: to < lastSummed ? to : lastSummed, by };
  if (summed.to < from) return { sums: [], weeks: new Map() };
  const [sums, weeks] = await Promise.all([readDaySums(ctx, agentIds, summed), readWeekSums(ctx, agentIds, summed)]);
  return { sums, weeks };
}

const groupsOf = ({ agentId, day, key, groups }: DaySums): DayGroup[] =>
  Object.entries(groups ?? {}).map(([group, countable]) => ({ agentId, day, key, group, countable }));

/** Returns the shares of people who were new on released days and returned one and seven days later. */
function retentionOf(shownSums: readonly DaySums[], recent: ReturnType<typeof countReturned>): Retention {
  const sums = shownSums.reduce(
    ({ base1, base7, back1, back7 }, { newPeople, backD1, backD7 }) => ({
      base1: base1 + newPeople,
      base7: base7 + newPeople,
      back1: back1 + backD1,
      back7: back7 + backD7,
    }),
    recent,
  );
  const share = (back: number, base: number): number | null => (base < minGroupSize ? null : back / base);
  return { retentionD1: share(sums.back1, sums.base1), retentionD7: share(sums.back7, sums.base7) };
}
