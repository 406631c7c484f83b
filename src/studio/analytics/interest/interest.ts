import type { Ctx } from '../../../core/ctx.ts';

/** Views of listings and likes. Both are counted for the public or the owner anyway, so few of them are shown, too. */
export interface Interest {
  listingViews: number | null;
  likes: number | null;
}

/** Of a plan that does not include it. */
export const noInterest: Interest = { listingViews: null, likes: null };

/**
 * Statement that adds to the days of agents; `rows` selects `agent_id`, `at`, `listing_views` and `likes`. Rows whose agent is gone
 * are dropped, and days are locked in order.
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

/** The days of a period on which someone looked at the agents or liked them, all of them together. */
export const readInterest = (
  ctx: Ctx,
  agentIds: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<DayInterest[]> => ctx.sql<DayInterest>(read, [agentIds, from, to]);

export const sumOfInterest = (days: readonly Interest[]): Interest => ({
  listingViews: days.reduce((sum, day) => sum + (day.listingViews ?? 0), 0),
  likes: days.reduce((sum, day) => sum + (day.likes ?? 0), 0),
});
