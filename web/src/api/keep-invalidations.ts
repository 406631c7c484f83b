import type { QueryClient } from '@tanstack/react-query';

/**
 * Makes an invalidation apply to fetches that are running, too: `invalidateQueries` restarts only those of shown queries
 * that have data, and the others may have read the state of before. They are invalidated again when they end, for which
 * the promise does not wait. Returns the client.
 */
export function keepInvalidations(client: QueryClient): QueryClient {
  const invalidate = client.invalidateQueries.bind(client);
  client.invalidateQueries = (filters, options) => {
    const running = client
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter((query) => query.state.data === undefined || !query.isActive());
    for (const { promise, queryKey } of running)
      promise?.then(
        () => invalidate({ ...filters, queryKey, exact: true }, options),
        () => undefined,
      );
    return invalidate(filters, options);
  };
  return client;
}
