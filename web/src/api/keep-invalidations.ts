import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';
import { afterFetch } from './after-fetch.ts';

/**
 * Makes an invalidation apply to fetches that are running, too: `invalidateQueries` restarts only those of shown queries
 * that have data, and the others may have read the earlier state. They are invalidated again when they end, for which
 * the promise does not wait. So are queries that load a further page: a restart would drop the page, and after the page
 * they would count as read again. Returns the client.
 */
export function keepInvalidations(client: QueryClient): QueryClient {
  const cache = client.getQueryCache();
  const invalidate = client.invalidateQueries.bind(client);
  const waiting = new WeakSet<Query>();
  const invalidateLater = async (query: Query, refetchType?: InvalidateQueryFilters['refetchType']): Promise<void> => {
    const { queryKey } = query;
    if (refetchType !== 'none') {
      if (waiting.has(query)) return;
      waiting.add(query);
    }
    await afterFetch(client, queryKey);
    waiting.delete(query);
    if (query.state.data !== undefined)
      await invalidate({ queryKey, exact: true, ...(refetchType && { refetchType }) });
  };
  cache.subscribe((event) => {
    // A further page replaces a refetch that an invalidation started.
    if (event.type !== 'updated' || event.action.type !== 'fetch') return;
    const { query } = event;
    if (isLoadingPage(query) && query.state.isInvalidated && query.promise) void invalidateLater(query);
  });
  client.invalidateQueries = (filters, options) => {
    for (const query of cache.findAll(filters))
      if (isLoadingPage(query) || (isFetching(query) && !(query.state.data !== undefined && query.isActive())))
        void invalidateLater(query, filters?.refetchType);
    const predicate = (query: Query): boolean => !isLoadingPage(query) && (filters?.predicate?.(query) ?? true);
    return invalidate({ ...filters, predicate }, options);
  };
  return client;
}

const isFetching = ({ state }: Query): boolean => state.fetchStatus !== 'idle';
const isLoadingPage = (query: Query): boolean => isFetching(query) && Boolean(query.state.fetchMeta?.fetchMore);
