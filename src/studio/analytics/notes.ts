/**
 * Notes about replies and ratings, the source of analytics. They are appended in the statement that they describe and
 * aggregated by a job, so that requests do not wait for counters and each event is counted exactly once.
 */

/**
 * Returns a statement that notes the end of the generations in the common table expression `ended`, at the time `at`.
 * Its columns `id` and `user_id` identify them.
 */
export const noteEnded = (ended: string, at: string): string =>
  `insert into studio_notes (generation_id, user_id, created_at) select id, user_id, ${at} from ${ended}`;

/**
 * Returns a statement that notes the end of the room turns in the common table expression `ended`. `id` is its column
 * with their ids.
 */
export const noteEndedTurns = (ended: string, id: string, at: string): string =>
  `insert into studio_notes (turn_id, created_at) select ${id}, ${at} from ${ended}`;

/**
 * Returns a statement that notes a rating of the reply $1 to `account` as up or down ($2). The common table expression
 * `before` has the rating that it replaces, if any.
 */
export const noteRating = (before: string, account: string, at: string): string => `
  insert into studio_notes (message_id, user_id, thumbs_up, thumbs_down, created_at)
  select $1, ${account}, ($2 = 'up')::integer - coalesce(b.up, 0), ($2 = 'down')::integer - coalesce(b.down, 0), ${at}
  from (select) one left join (select (rating = 'up')::integer as up, (rating = 'down')::integer as down from ${before}) b on true`;
