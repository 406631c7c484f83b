import type { Ctx } from '../../core/ctx.ts';

const oldestNote = {
  name: 'studio_oldest_note',
  text: `select created_at as "createdAt" from studio_notes order by id limit 1`,
};

/** Returns the time up to which all events are included in analytics. */
export async function readCompleteUntil(ctx: Ctx): Promise<Date> {
  const [oldest] = await ctx.sql<{ createdAt: Date }>(oldestNote);
  return oldest?.createdAt ?? ctx.clock.now();
}

/** Time that a day stays open after midnight, for transactions that began before midnight. */
const settledAfterMs = 10 * 60_000;

/** Returns the first day (UTC) that is not complete. */
export const openDayOf = (completeUntil: Date): string =>
  new Date(completeUntil.getTime() - settledAfterMs).toISOString().slice(0, 10);
