import type { QueryClient } from '@tanstack/react-query';

/**
 * Makes an invalidation apply to fetches that are running, too: `invalidateQueries` restarts only those of shown queries
 * that have data, and the others may have read the state of before. Returns the client.
 */
export function keepInvalidations(client: QueryClient): QueryClient {
  const invalidate = client.invalidateQueries.bind(client);
  client.invalidateQueries = async (filters, options) => {
    const running = client
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter((query) => query.state.data === undefined || !query.isActive());
    const fetches = running.map(async (query) => {
      await query.promise;
      await invalidate({ ...filters, queryKey: query.queryKey, exact: true }, options);
    });
    await invalidate(filters, options);
    await Promise.allSettled(fetches);
  };
  return client;
}
