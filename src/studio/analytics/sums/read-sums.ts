import type { Ctx } from '../../../core/ctx.ts';
import { mondayOf } from '../analytics.input.ts';
import { type AgentDate, type KeyedDay, keyOfDay } from '../release.ts';
import { bitsOfHex, noDays } from './day-bits.ts';

export interface DaySums extends KeyedDay {
  people: number;
  newPeople: number;
  backD1: number;
  backD7: number;
  /** People by version or source; null unless requested. */
  groups: Readonly<Record<string, number>> | null;
}

const readDays = {
  name: 'studio_day_sums',
  text: `
    select agent_id as "agentId", to_char(day, 'YYYY-MM-DD') as day, people, new_people as "newPeople", back_d1 as "backD1",
      back_d7 as "backD7", case $4 when 'version' then by_version when 'source' then by_source end as groups
    from agent_day_people where agent_id = any ($1) and day between $2 and $3`,
};

/** Returns the daily sums of the agents. Both ends of the period are inclusive. */
export async function readDaySums(
  { sql }: Ctx,
  agentIds: readonly string[],
  { from, to, by }: { from: string; to: string; by: string | null },
): Promise<DaySums[]> {
  const rows = await sql<Omit<DaySums, 'key'>>(readDays, [agentIds, from, to, by]);
  return rows.map((row) => ({ ...row, key: keyOfDay(row) }));
}

export interface WeekSums extends AgentDate {
  people: number;
  newPeople: number;
  restPeople: number;
}

const readWeeks = {
  name: 'studio_week_sums',
  text: `
    select agent_id as "agentId", to_char(week, 'YYYY-MM-DD') as day, people, new_people as "newPeople",
      rest_people as "restPeople"
    from agent_week_people where agent_id = any ($1) and week between $2 and $3`,
};

/** Returns the weekly sums of the agents for all weeks that overlap the period, by agent and Monday. */
export async function readWeekSums(
  { sql }: Ctx,
  agentIds: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<ReadonlyMap<string, WeekSums>> {
  const rows = await sql<WeekSums>(readWeeks, [agentIds, mondayOf(from), to]);
  return new Map(rows.map((row) => [keyOfDay(row), row]));
}

const countPeople = {
  name: 'studio_summed_people',
  text: `
    with given as materialized (
      select agent_id, ${bitsOfHex('hex')} as days from unnest($1::text[], $2::text[]) as g (agent_id, hex)
    )
    select count(*) as people, count(*) filter (where p.first_day >= $3::date) as "newPeople"
    from given g join agent_people p on p.agent_id = g.agent_id where p.days & g.days <> ${noDays}`,
};

/**
 * Counts the people who used an agent on one of the given days, which are encoded as bits, and those of them who were
 * new on or after `from`.
 */
export async function countSummed(
  { sql }: Ctx,
  daysOfAgents: readonly (readonly [agentId: string, hex: string])[],
  from: string,
): Promise<{ people: number; newPeople: number }> {
  const noPeople = { people: 0, newPeople: 0 };
  if (daysOfAgents.length === 0) return noPeople;
  const [agents, hexes] = [daysOfAgents.map(([agentId]) => agentId), daysOfAgents.map(([, hex]) => hex)];
  const [row = noPeople] = await sql<typeof noPeople>(countPeople, [agents, hexes, from]);
  return row;
}
