import type { Ctx } from '../../../core/ctx.ts';
import { keptDays } from '../partitions.ts';

const batchSize = 5_000;

const remove = {
  name: 'agent_people_expired',
  text: `
    delete from agent_people where ctid = any (array(
      select ctid from agent_people where last_day < $1::date - ${keptDays} order by last_day limit ${batchSize})) returning 1`,
};

/** Deletes people who have not used an agent for 400 days, in batches. Returns the number of deleted rows. */
export async function removeOldPeople({ sql, clock }: Ctx, signal: AbortSignal): Promise<number> {
  for (let total = 0; ;) {
    signal.throwIfAborted();
    const { length } = await sql(remove, [clock.now()]);
    total += length;
    if (length < batchSize) return total;
  }
}
