import { cache } from '../api/cache.ts';
import { MeDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { sessionState } from '../api/session.ts';
import { isServiceTimeKnown, setServiceTime } from '../api/service-time.ts';

/** Loads the account before the first render, so that banners do not shift the page. The frame works without it. */
export async function loadAccount(): Promise<void> {
  if (sessionState() === 'signed-out') return;
  const account = await cache.query({ ...query(MeDocument, {}), staleTime: 'static' }).catch(() => undefined);
  // Only once, because a cached answer holds an old time.
  if (account && !isServiceTimeKnown()) setServiceTime(account.service.now);
}
