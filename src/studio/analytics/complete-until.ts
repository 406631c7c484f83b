import type { Ctx } from '../../core/ctx.ts';

const oldestNote = {
  name: 'studio_oldest_note',
  text: `select created_at as "createdAt" from studio_notes order by id limit 1`,
};

/** Everything that happened before is in the figures. */
export async function readCompleteUntil(ctx: Ctx): Promise<Date> {
  const [oldest] = await ctx.sql<{ createdAt: Date }>(oldestNote);
  return oldest?.createdAt ?? ctx.clock.now();
}

/** After midnight, a day is open for this long: for transactions that began before. */
const settledAfterMs = 10 * 60_000;

/** The first day that is not over. */
export const openDayOf = (completeUntil: Date): string =>
  new Date(completeUntil.getTime() - settledAfterMs).toISOString().slice(0, 10);
