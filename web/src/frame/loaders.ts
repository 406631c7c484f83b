import { cache } from '../api/cache.ts';
import { MeDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

/** The banners depend on it; loaded later, they would move the page. Without it the frame works, too. */
export const loadAccount = () => cache.query({ ...query(MeDocument, {}), staleTime: 'static' }).catch(() => undefined);
