import { cache } from '../api/cache.ts';
import { MeDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { sessionState } from '../api/session.ts';
import { isServiceTimeKnown, setServiceTime } from '../parts/service-time.ts';

/** The banners depend on it; loaded later, they would move the page. Without it the frame works, too. */
export async function loadAccount(): Promise<void> {
  if (sessionState() === 'signed-out') return;
  const account = await cache.query({ ...query(MeDocument, {}), staleTime: 'static' }).catch(() => undefined);
  // What the cache returns later was true when it was read.
  if (account && !isServiceTimeKnown()) setServiceTime(account.service.now);
}
