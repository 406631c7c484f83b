import { infiniteQueryOptions } from '@tanstack/react-query';
import { FeedDocument, type FeedQuery } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';

/** An item of the feed. */
export type FeedEntry = FeedQuery['feed']['data'][number];

/**
 * Pages of the feed. Each starts after the last item of the previous page, so new items do not cause repeats. There is no
 * automatic refetch, because it would move the page while the person reads.
 */
export const feedQuery = () =>
  infiniteQueryOptions({
    queryKey: [...keyOf(FeedDocument), 'paged'],
    queryFn: ({ signal, pageParam }) => request(FeedDocument, { before: pageParam || null }, { signal }),
    // Not null, which TanStack treats as "no page".
    initialPageParam: '',
    getNextPageParam: ({ feed: { data, hasMore } }) => (hasMore ? data.at(-1)?.id : null),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
