import type { Ctx } from '../../core/ctx.ts';

export const keptDays = 400;
/** Created ahead, so that a job that does not run for this long loses nothing: the default partition takes over then. */
const monthsAhead = 2;

const create = { name: 'studio_partitions_create', text: `select create_studio_partitions($1::date, ${monthsAhead})` };
const drop = {
  name: 'studio_partitions_drop',
  text: `select drop_studio_partitions($1::date - ${keptDays}) as dropped`,
};

/** Creates the monthly partitions of `agent_day_users` for this month and the next ones. */
export async function createStudioPartitions({ sql, clock }: Ctx): Promise<void> {
  await sql(create, [clock.now()]);
}

/** Drops whole months of `agent_day_users` that are older than 400 days. Returns how many. */
export async function dropStudioPartitions({ sql, clock }: Ctx): Promise<number> {
  const [row] = await sql<{ dropped: number }>(drop, [clock.now()]);
  return row?.dropped ?? 0;
}
