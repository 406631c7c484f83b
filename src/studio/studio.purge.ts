import type { PurgeStep } from '../core/feature.ts';

// Without an index, which each reply would have to maintain: the table has the notes of about a minute.
const deleteNotes = {
  name: 'purge_studio_notes',
  text: `delete from studio_notes where user_id = $1 returning 1`,
};

/** Removes the notes of an account that are not aggregated yet. They have no foreign key to it. */
export const purgeNotes: PurgeStep = {
  name: 'studio notes',
  purge: async (ctx, userId) => ({ studio_notes: (await ctx.sql(deleteNotes, [userId])).length }),
};
