import { z } from 'zod';

const dayMs = 86_400_000;
const usualDays = 7;
/** Maximum length of a period in days. */
const maxSpanDays = 366;

/** A calendar date as `YYYY-MM-DD`. */
const calendarDay = z.string().refine((text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text), {
  params: { code: 'invalid_date' },
  error: 'must be a date such as 2026-12-01',
});

const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

export const granularities = ['day', 'week'] as const;
export type Granularity = (typeof granularities)[number];

export const breakdowns = ['version', 'source'] as const;
export type Breakdown = (typeof breakdowns)[number];

export const analyticsFormats = ['json', 'csv'] as const;
export type AnalyticsFormat = (typeof analyticsFormats)[number];

export const analyticsInput = z.object({
  from: calendarDay.nullish(),
  to: calendarDay.nullish(),
  granularity: z.enum(granularities).nullish(),
  by: z.enum(breakdowns).nullish(),
  format: z.enum(analyticsFormats).nullish(),
});

/** Returns the date `days` before a date; a negative number is after it. */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10);

const mondays = new Map<string, string>();
/** Maximum size of the cache, which is more than the days of one request. */
const maxMondays = 2_000;

/** Returns the Monday of a date's week. Cached, because the figures of a year need each date repeatedly. */
export function mondayOf(day: string): string {
  const known = mondays.get(day);
  if (known !== undefined) return known;
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const monday = daysBefore(day, (weekday + 6) % 7);
  if (mondays.size >= maxMondays) mondays.clear();
  mondays.set(day, monday);
  return monday;
}

/** Returns all dates of a period, both ends inclusive. */
export function daysBetween(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(Math.round((last - first) / dayMs) + 1, 0);
  return Array.from({ length: count }, (_, n) => new Date(first + n * dayMs).toISOString().slice(0, 10));
}

export interface Period {
  from: string;
  to: string;
  granularity: Granularity;
}

interface RequestedPeriod extends Period {
  /** First day of the request, before it is extended to a whole week. */
  start: string;
  isTooLong: boolean;
}

/** Returns the period of a request: the last seven days by default, extended to whole weeks if grouped by week. */
export function periodOf(
  { from, to, granularity: given }: z.output<typeof analyticsInput>,
  today: string,
): RequestedPeriod {
  const granularity = given ?? 'day';
  const end = to ?? today;
  const start = from ?? daysBefore(end, usualDays - 1);
  const first = granularity === 'week' ? mondayOf(start) : start;
  const sunday = daysBefore(mondayOf(end), -6);
  const last = granularity === 'week' && sunday < today ? sunday : end;
  return { from: first, to: last, granularity, start, isTooLong: first < daysBefore(last, maxSpanDays + 7) };
}
