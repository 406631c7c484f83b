import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { afterFetch } from '../api/after-fetch.ts';
import { joined } from '../api/dated-rows.ts';
import { RecentEventsDocument, type WebhookEventType } from '../api/generated/operations.ts';
import { type LiveEvent, watchLiveEvents } from '../api/live-events.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { type EventPages, withEvent } from './event-pages.ts';

const eventsKey = (type: WebhookEventType | undefined) => [...keyOf(RecentEventsDocument, { type }), 'paged'];

/** Lists the account's events, optionally of one type, newest first. Live events are added unless it is paused. */
export function useEvents(type: WebhookEventType | undefined, isPaused: boolean) {
  const cache = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: eventsKey(type),
    queryFn: ({ signal, pageParam }) =>
      request(RecentEventsDocument, { types: type ? [type] : null, before: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ recentEvents: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    // Live events were added only while it was shown.
    staleTime: 0,
    // They are also added while the tab is hidden.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useEffect(() => {
    if (isPaused) return;
    const queryKey = eventsKey(type);
    const put = async (event: LiveEvent): Promise<void> => {
      if (type && event.type !== type) return;
      await afterFetch(cache, queryKey);
      cache.setQueryData<EventPages>(queryKey, (loaded) => loaded && withEvent(loaded, event));
    };
    return watchLiveEvents((event) => void put(event));
  }, [cache, type, isPaused]);
  return { list, events: list.data && joined(list.data.pages.map(({ recentEvents }) => recentEvents.data)) };
}
