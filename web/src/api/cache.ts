import { createQueryClient } from './query.ts';

/** The one cache of the page. It arrives with the first screen that queries, so the pages for visitors do without. */
export const cache = createQueryClient();
