import type { Ctx } from '../../../core/ctx.ts';

/**
 * Views of listings and likes. There is no minimum group size, because both are visible elsewhere to the public or the
 * owner.
 */
export interface Interest {
  listingViews: number | null;
  likes: number | null;
}

/** The value for plans without these figures. */
export const noInterest: Interest = { listingViews: null, likes: null };

/**
 * Returns a statement that adds to the daily counters. `rows` selects `agent_id`, `at`, `listing_views` and `likes`.
 * Rows of deleted agents are dropped. Counters are locked in order to prevent deadlocks.
 */
export const addInterest = (rows: string): string => `
  insert into agent_interest_days as d (agent_id, day, listing_views, likes)
  select a.id, (r.at at time zone 'UTC')::date, sum(r.listing_views), sum(r.likes)
  from (${rows}) r join agents a on a.id = r.agent_id
  group by 1, 2 order by 1, 2
  on conflict (agent_id, day) do update set listing_views = d.listing_views + excluded.listing_views,
    likes = d.likes + excluded.likes`;

const read = {
  name: 'studio_interest',
  text: `
    select to_char(d.day, 'YYYY-MM-DD') as day, sum(d.listing_views)::integer as "listingViews", sum(d.likes)::integer as likes
    from agent_interest_days d where d.agent_id = any ($1) and d.day between $2 and $3 group by d.day`,
};

export interface DayInterest extends Interest {
  day: string;
}

/** Returns the days of a period with views or likes, summed over the agents. */
export const readInterest = (
  ctx: Ctx,
  agentIds: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<DayInterest[]> => ctx.sql<DayInterest>(read, [agentIds, from, to]);

export const sumOfInterest = (days: readonly Interest[]): Interest => ({
  listingViews: days.reduce((sum, day) => sum + (day.listingViews ?? 0), 0),
  likes: days.reduce((sum, day) => sum + (day.likes ?? 0), 0),
});
