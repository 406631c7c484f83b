import { z } from 'zod';
import type { Ctx } from '../../core/ctx.ts';
import { invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';

export const statsBuckets = ['hour', 'day'] as const;
export type StatsBucket = (typeof statsBuckets)[number];

/** The outcomes of deliveries in an hour or a day. */
export interface StatsPoint {
  start: Date;
  delivered: number;
  failed: number;
  skipped: number;
  attempts: number;
  failedAttempts: number;
  /**
   * 95th percentile of the duration of last attempts, over the newest 100 deliveries created in this period; null
   * without any.
   */
  p95DurationMs: number | null;
}

const hourMs = 3_600_000;
const maxHours = 168;
const maxDays = 31;
const maxBuckets: Record<StatsBucket, number> = { hour: maxHours, day: maxDays };
const defaultBuckets: Record<StatsBucket, number> = { hour: 24, day: 30 };
const lengths: Record<StatsBucket, string> = { hour: '1 hour', day: '24 hours' };

const seriesInput = z.object({
  since: z.date().nullish(),
  bucket: z
    .enum(statsBuckets)
    .nullish()
    .transform((given) => given ?? 'hour'),
});

const select = {
  name: 'webhook_stats_series',
  text: `
    select b.start, coalesce(h.delivered, 0)::int as delivered, coalesce(h.failed, 0)::int as failed,
      coalesce(h.skipped, 0)::int as skipped, coalesce(h.attempts, 0)::int as attempts,
      coalesce(h.attempts - h.delivered, 0)::int as "failedAttempts", p.ms as "p95DurationMs"
    from generate_series(
      greatest(date_trunc($2, coalesce($3::timestamptz, now() - $5::float8 * $4::interval), 'UTC'),
        date_trunc($2, now(), 'UTC') - $6::float8 * $4::interval),
      date_trunc($2, now(), 'UTC'), $4::interval) as b(start)
    left join lateral (
      select sum(delivered) as delivered, sum(failed) as failed, sum(skipped) as skipped, sum(attempts) as attempts
      from webhook_hours where webhook_id = $1 and hour >= b.start and hour < b.start + $4::interval
    ) h on true
    left join lateral (
      select percentile_disc(0.95) within group (order by ms) as ms from (
        select (attempts -> -1 ->> 'durationMs')::int as ms from webhook_deliveries
        where webhook_id = $1 and created_at >= b.start and created_at < b.start + $4::interval
        order by created_at desc, id desc limit 100
      ) newest
    ) p on true
    order by b.start`,
};

/**
 * Returns the counts of a webhook by clock hour or UTC day, oldest first, including the current one. Performs no
 * authorization check.
 * @throws AppError `invalid_request`, also for a `since` that is out of range
 */
export async function readStatsSeries(ctx: Ctx, webhookId: string, input: unknown): Promise<StatsPoint[]> {
  const { since, bucket } = parseInput(seriesInput, input);
  const longest = maxBuckets[bucket];
  const unitMs = bucket === 'hour' ? hourMs : 24 * hourMs;
  const now = ctx.clock.realNow().getTime();
  // Tolerates a caller's clock that is up to an hour ahead.
  if (since && (since.getTime() > now + hourMs || since.getTime() < now - longest * unitMs)) {
    const message = `must be at most ${longest} ${bucket}s ago`;
    throw invalidField('since', 'out_of_range', message);
  }
  const values = [webhookId, bucket, since ?? null, lengths[bucket], defaultBuckets[bucket] - 1, longest];
  return ctx.sql<StatsPoint>(select, values);
}

const selectHours = {
  name: 'webhook_last_hours',
  text: `
    select h.webhook_id as "webhookId", h.hour as start, h.delivered, h.failed from webhook_hours h
    where h.webhook_id = any ($1) and h.hour >= date_trunc('hour', now(), 'UTC') - interval '23 hours'
    order by h.webhook_id, h.hour`,
};

/** The number of deliveries that ended in an hour. */
export interface HourCount {
  webhookId: string;
  start: Date;
  delivered: number;
  failed: number;
}

/**
 * Returns the counts of the last 24 clock hours, by webhook and oldest first. Hours without deliveries are missing.
 * Performs no authorization check.
 */
export const lastHours = (ctx: Ctx, webhookIds: readonly string[]): Promise<HourCount[]> =>
  ctx.sql<HourCount>(selectHours, [webhookIds]);
