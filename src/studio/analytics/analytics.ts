import { callerId } from '../../accounts/caller.ts';
import { getAgent } from '../../agents/agents.ts';
import { type Plan, owns } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField, notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import {
  analyticsInput,
  type Breakdown,
  daysBefore,
  daysBetween,
  type Granularity,
  mondayOf,
  periodOf,
} from './analytics.input.ts';
import { breakdownOf, type BreakdownItem } from './breakdown.ts';
import { openDayOf, readCompleteUntil } from './complete-until.ts';
import { minGroupSize } from './counted-person.ts';
import { sumOf } from './figures.ts';
import { noInterest, readInterest, sumOfInterest } from './interest/interest.ts';
import { type PeopleCount, readFigures, type Returns, type UsedBucket } from './read-figures.ts';
import { readSummedUntil } from './sums/sum-people.ts';
import {
  type Figures,
  noRetention,
  type Retention,
  shownFigures,
  suppressedFigures,
  type View,
} from './shown-figures.ts';
import { onReplica } from '../../core/database/replica.ts';

export interface Analytics {
  agentId: string | null;
  from: string;
  to: string;
  granularity: Granularity;
  totals: Figures;
  series: (Figures & { date: string })[];
  breakdown: BreakdownItem[];
  /** Time up to which all events are included. */
  completeUntil: Date;
}

/**
 * Returns the use of one of the caller's agents by other people. Figures based on fewer than five people or on days
 * that are not complete are withheld, also from totals. Reads from a replica if there is one.
 * @throws AppError `invalid_request`, `not_found`, `plan_limit_exceeded` for a period, breakdown or format that the
 * plan does not include
 */
export const getAgentAnalytics = onReplica(async (ctx: Ctx, agentId: string, input: unknown): Promise<Analytics> => {
  const agent = await getAgent(ctx, agentId);
  if (!owns(ctx.actor, agent.ownerId)) throw notFound();
  return readAnalytics(ctx, agent.id, [agent.id], input);
});

/**
 * Returns the joint figures of several agents of the caller. `agentId` is the id of the agent if there is only one.
 * @throws AppError `invalid_request`, `plan_limit_exceeded`
 */
export async function readAnalytics(
  ctx: Ctx,
  agentId: string | null,
  agentIds: readonly string[],
  input: unknown,
): Promise<Analytics> {
  const request = parseInput(analyticsInput, input);
  const today = ctx.clock.now().toISOString().slice(0, 10);
  const { isTooLong, start, ...period } = periodOf(request, today);
  if (period.to < period.from) throw invalidField('to', 'invalid_range', 'to must not be before from');
  const by = request.by ?? null;
  const isAdvanced = await requirePlan(ctx, { ...request, start, today });
  if (isTooLong) throw invalidField('from', 'invalid_range', 'from must be at most 366 days before to');
  // Read first: notes aggregated after these reads must not make a day look complete.
  const [completeUntil, summedUntil] = await Promise.all([readCompleteUntil(ctx), readSummedUntil(ctx)]);
  const openDay = openDayOf(completeUntil);
  const isWeekly = period.granularity === 'week';
  const [sums, interest] = await Promise.all([
    readFigures(ctx, agentIds, { ...period, by, isWeekly, openDay, summedUntil, isAdvanced }),
    isAdvanced ? readInterest(ctx, agentIds, period) : [],
  ]);
  const view = { isAdvanced, interest, ...sums };
  return {
    agentId,
    ...period,
    totals: totalsOf(view),
    series: seriesOf(view, period),
    breakdown: by ? await breakdownOf(ctx, agentId, by, view) : [],
    completeUntil,
  };
}

const readPlan = { name: 'studio_plan', text: `select plan from users where id = $1` };

interface Wanted {
  start: string;
  today: string;
  by?: Breakdown | null | undefined;
  format?: string | null | undefined;
}

/**
 * Checks the plan and returns whether it includes advanced figures.
 * @throws AppError `plan_limit_exceeded`
 */
async function requirePlan(ctx: Ctx, { start, today, by, format }: Wanted): Promise<boolean> {
  const [user] = await ctx.sql<{ plan: Plan }>(readPlan, [callerId(ctx)]);
  const plan = user?.plan ?? 'free';
  const days = ctx.catalog.planLimits.analyticsDays[plan];
  const refuse = (message: string) => new AppError('plan_limit_exceeded', { message });
  if (start < daysBefore(today, days - 1))
    throw refuse(`Your plan includes the last ${days} days. Choose a later date or a larger plan.`);
  const isAdvanced = plan !== 'free';
  if (by && !isAdvanced) throw refuse('Your plan does not include breakdowns. Choose a larger plan.');
  if (format === 'csv' && !isAdvanced) throw refuse('Your plan does not include CSV export. Choose a larger plan.');
  return isAdvanced;
}

/**
 * Returns the totals of everything that is released. The numbers of messages and conversations are always included,
 * because they are public.
 */
function totalsOf({ isAdvanced, figures, buckets, total, interest }: View): Figures {
  const conversations = figures.reduce((sum, part) => sum + part.conversations, 0);
  const messages = figures.reduce((sum, part) => sum + part.messages, 0);
  const parts = figures.filter(({ release }) => release !== 'hidden');
  const released = parts.length > 0 || buckets.size === 0;
  const shown = released ? shownFigures(sumOf(parts), peopleOf(total, buckets), isAdvanced) : suppressedFigures;
  const retention = isAdvanced ? retentionOf(total) : noRetention;
  const gained = isAdvanced ? sumOfInterest(interest) : noInterest;
  const suppressed = [...buckets.values()].some(({ days, shownDays }) => shownDays < days);
  return { ...shown, ...retention, ...gained, conversations, messages, suppressed };
}

/** Sums still include purged accounts and other rows do not, so the total is raised to the largest bucket. */
function peopleOf(total: PeopleCount, buckets: ReadonlyMap<string, PeopleCount>): PeopleCount {
  const all = [...buckets.values()];
  const newPeople = Math.max(total.newPeople, ...all.map((bucket) => bucket.newPeople));
  return { newPeople, people: Math.max(total.people, newPeople, ...all.map(({ people }) => people)) };
}

/** Returns the shares of people who were new on released days and returned one and seven days later. */
function retentionOf({ base1, base7, back1, back7 }: Returns): Retention {
  const share = (back: number, base: number): number | null => (base < minGroupSize ? null : back / base);
  return { retentionD1: share(back1, base1), retentionD7: share(back7, base7) };
}

function seriesOf(
  { isAdvanced, figures, buckets, interest }: View,
  { from, to, granularity }: { from: string; to: string; granularity: Granularity },
) {
  const isWeekly = granularity === 'week';
  const bucketOf = (day: string): string => (isWeekly ? mondayOf(day) : day);
  const cells = Map.groupBy(figures, ({ date }) => date);
  const interestByBucket = Map.groupBy(interest, ({ day }) => bucketOf(day));
  return [...new Set(daysBetween(from, to).map(bucketOf))].map((date) => {
    const used = buckets.get(date) ?? unused;
    const shownDays = isWeekly ? used.shownDays : used.aloneDays;
    const gained = isAdvanced ? sumOfInterest(interestByBucket.get(date) ?? []) : noInterest;
    if (used.days > 0 && shownDays === 0) return { date, ...suppressedFigures, ...gained };
    const parts = (cells.get(date) ?? []).filter(
      ({ release }) => release === 'alone' || (isWeekly && release === 'week'),
    );
    const [only] = parts;
    const sum = only && parts.length === 1 ? only : sumOf(parts);
    return { date, ...shownFigures(sum, used, isAdvanced), ...gained, suppressed: shownDays < used.days };
  });
}

const unused: UsedBucket = { days: 0, aloneDays: 0, shownDays: 0, people: 0, newPeople: 0 };
