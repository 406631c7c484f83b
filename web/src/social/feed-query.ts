import { infiniteQueryOptions } from '@tanstack/react-query';
import { FeedDocument, type FeedQuery } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';

/** An item of the feed. */
export type FeedEntry = FeedQuery['feed']['data'][number];

/**
 * The feed in pages, each from the last item of the one before, so that new items repeat none. It is not read again while the
 * person reads: that would move the page.
 */
export const feedQuery = () =>
  infiniteQueryOptions({
    queryKey: [...keyOf(FeedDocument), 'paged'],
    queryFn: ({ signal, pageParam }) => request(FeedDocument, { before: pageParam || null }, { signal }),
    // Not null, which TanStack takes for "no page".
    initialPageParam: '',
    getNextPageParam: ({ feed: { data, hasMore } }) => (hasMore ? data.at(-1)?.id : null),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
