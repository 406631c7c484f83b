import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Resolves when no fetch of the query is running: its response may be older than an update that has arrived since. */
export async function afterFetch(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  await cache
    .getQueryCache()
    .find({ queryKey })
    ?.promise?.catch(() => undefined);
}
