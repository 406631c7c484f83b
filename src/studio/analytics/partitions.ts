import type { Ctx } from '../../core/ctx.ts';

export const keptDays = 400;
/**
 * Number of months for which partitions are created ahead. If the job is down for longer, rows go to the default
 * partition.
 */
const monthsAhead = 2;

const create = { name: 'studio_partitions_create', text: `select create_studio_partitions($1::date, ${monthsAhead})` };
const drop = {
  name: 'studio_partitions_drop',
  text: `select drop_studio_partitions($1::date - ${keptDays}) as dropped`,
};

/** Creates the partitions of `agent_day_users` for the current month and the next two. */
export async function createStudioPartitions({ sql, clock }: Ctx): Promise<void> {
  await sql(create, [clock.now()]);
}

/** Drops the partitions of `agent_day_users` whose whole month is more than 400 days ago. Returns their number. */
export async function dropStudioPartitions({ sql, clock }: Ctx): Promise<number> {
  const [row] = await sql<{ dropped: number }>(drop, [clock.now()]);
  return row?.dropped ?? 0;
}
