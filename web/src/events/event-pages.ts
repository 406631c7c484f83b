import type { InfiniteData } from '@tanstack/react-query';
import { putRow } from '../api/dated-rows.ts';
import type { RecentEventsQuery } from '../api/generated/operations.ts';
import type { LiveEvent } from '../api/live-events.ts';

export type EventPages = InfiniteData<RecentEventsQuery, string | null>;

const maximum = 500;
const kept = 250;

/**
 * Adds a live event to the loaded pages. When the first page is longer than 500, drops all but its newest 250 events; the
 * others can be loaded again as earlier events.
 */
export function withEvent(loaded: EventPages, event: LiveEvent): EventPages {
  const last = loaded.pages.at(-1)?.recentEvents;
  const rows = putRow(
    loaded.pages.map(({ recentEvents }) => recentEvents.data),
    event,
    last?.pageInfo.hasNextPage ?? false,
  );
  const newest = rows[0]?.slice(0, kept) ?? [];
  if ((rows[0]?.length ?? 0) > maximum)
    return {
      pages: [
        { recentEvents: { data: newest, pageInfo: { hasNextPage: true, endCursor: newest.at(-1)?.id ?? null } } },
      ],
      pageParams: [null],
    };
  const pages = loaded.pages.map(({ recentEvents }, index) => ({
    recentEvents: { ...recentEvents, data: rows[index] ?? [] },
  }));
  return { ...loaded, pages };
}
