import type { QueryClient, QueryKey } from '@tanstack/react-query';

const runningFetch = (cache: QueryClient, queryKey: QueryKey): Promise<unknown> | undefined =>
  cache.getQueryCache().find({ queryKey })?.promise;

/** Resolves when no fetch of the query is running: its response may be older than an update that has arrived since. */
export async function afterFetch(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  // A fetch that another one replaces, such as that of a further page, ends before it.
  for (let fetch = runningFetch(cache, queryKey); fetch; fetch = runningFetch(cache, queryKey))
    await fetch.catch(() => undefined);
}

/**
 * Changes cached data now and, if a fetch is running, again after it: its response may be older, and a further page is
 * added to the pages that there were when its fetch started. The change must be idempotent.
 */
export function changeData<Data>(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (data: Data | undefined) => Data | undefined,
): void {
  const apply = (): void => void cache.setQueryData(queryKey, (data: unknown) => change(data as Data | undefined));
  if (runningFetch(cache, queryKey)) void afterFetch(cache, queryKey).then(apply);
  apply();
}
