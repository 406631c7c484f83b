/**
 * Notes: what replies and ratings leave for the figures of agents. They are appended in the statement of their cause and
 * aggregated by a job, so that no request waits for a figure and each is counted exactly once.
 */

/** A common table expression that notes the attempts of another one, which has their ids, as ended at the given parameter. */
export const noteEnded = (ended: string, id: string, at: string): string => noteIn('generation_id', ended, id, at);

/** Likewise for turns of rooms. */
export const noteEndedTurns = (ended: string, id: string, at: string): string => noteIn('turn_id', ended, id, at);

const noteIn = (column: string, ended: string, id: string, at: string): string =>
  `insert into studio_notes (${column}, created_at) select ${id}, ${at} from ${ended}`;

/** Likewise for a rating of the reply $1 as up or down ($2). `before` has the rating that it replaces, if any. */
export const noteRating = (before: string, at: string): string => `
  insert into studio_notes (message_id, thumbs_up, thumbs_down, created_at)
  select $1, ($2 = 'up')::integer - coalesce(b.up, 0), ($2 = 'down')::integer - coalesce(b.down, 0), ${at}
  from (select) one left join (select (rating = 'up')::integer as up, (rating = 'down')::integer as down from ${before}) b on true`;
