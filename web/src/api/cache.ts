import { createQueryClient } from './query.ts';

/** The only query cache. The first screen that queries loads it, so visitor pages do not download it. */
export const cache = createQueryClient();
