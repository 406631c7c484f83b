import { callerId } from '../../accounts/caller.ts';
import { ownsAgent } from '../../agents/agent.policy.ts';
import { getAgent } from '../../agents/agents.ts';
import type { Plan } from '../../core/actor.ts';
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
import { readDayFigures, sumOf } from './figures.ts';
import { noInterest, readInterest, sumOfInterest } from './interest/interest.ts';
import { readPeople, type Retention } from './people.ts';
import { isReleased, type KeyedDay } from './release.ts';
import { readSummedUntil } from './sums/sum-people.ts';
import { type Figures, noRetention, shownFigures, suppressedFigures, type View } from './shown-figures.ts';
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
  if (!ownsAgent(ctx.actor, agent)) throw notFound();
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
  const scope = { ...period, by };
  // Read first: notes aggregated after these reads must not make a day look complete.
  const [completeUntil, summedUntil] = await Promise.all([readCompleteUntil(ctx), readSummedUntil(ctx)]);
  const openDay = openDayOf(completeUntil);
  const [people, figures, interest] = await Promise.all([
    readPeople(ctx, agentIds, { ...scope, openDay, summedUntil }),
    readDayFigures(ctx, agentIds, scope),
    isAdvanced ? readInterest(ctx, agentIds, period) : [],
  ]);
  const { release, counts } = people;
  const view = { isAdvanced, people, figures, release, counts, interest };
  return {
    agentId,
    ...period,
    totals: totalsOf(view, isAdvanced ? people.retention : noRetention),
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
function totalsOf({ isAdvanced, figures, release, counts, people, interest }: View, retention: Retention): Figures {
  const conversations = figures.reduce((sum, day) => sum + day.conversations, 0);
  const messages = figures.reduce((sum, day) => sum + day.messages, 0);
  const parts = figures.filter((day) => isReleased(release, day));
  const isEmpty = people.wholeDays.length === 0;
  const released = parts.length > 0 || isEmpty;
  const shown = released ? shownFigures(sumOf(parts), counts.get(''), isAdvanced) : suppressedFigures;
  const isPartial = people.wholeDays.some((day) => !isReleased(release, day));
  const gained = isAdvanced ? sumOfInterest(interest) : noInterest;
  return { ...shown, ...retention, ...gained, conversations, messages, suppressed: isPartial };
}

function seriesOf(
  { isAdvanced, figures, release, counts, people, interest }: View,
  period: { from: string; to: string; granularity: Granularity },
) {
  const { from, to, granularity } = period;
  const isWeekly = granularity === 'week';
  const bucketOf = (day: string): string => (isWeekly ? mondayOf(day) : day);
  const buckets = new Map(daysBetween(from, to).map((day) => [day, bucketOf(day)]));
  const inBucket = ({ day }: KeyedDay): string | undefined => buckets.get(day);
  const usedDays = Map.groupBy(people.wholeDays, inBucket);
  const cells = Map.groupBy(figures, inBucket);
  const interestByBucket = Map.groupBy(interest, ({ day }) => buckets.get(day));
  return [...new Set(buckets.values())].map((date) => {
    const used = usedDays.get(date) ?? [];
    const isShown = (day: KeyedDay): boolean => (isWeekly ? isReleased(release, day) : release.days.has(day.key));
    const gained = isAdvanced ? sumOfInterest(interestByBucket.get(date) ?? []) : noInterest;
    const isHidden = used.length > 0 && !used.some(isShown);
    if (isHidden) return { date, ...suppressedFigures, ...gained };
    const parts = (cells.get(date) ?? []).filter(isShown);
    const [only] = parts;
    const sum = only && parts.length === 1 ? only : sumOf(parts);
    const shown = shownFigures(sum, counts.get(date), isAdvanced);
    return { date, ...shown, ...gained, suppressed: used.some((day) => !isShown(day)) };
  });
}
