import { expect, test } from 'vitest';
import { type EventPages, withEvent } from '../../../web/src/events/event-pages.ts';

const event = (n: number) => ({
  id: `evt_${String(n).padStart(4, '0')}`,
  type: 'AGENT_CREATED' as const,
  createdAt: new Date(n * 1000).toISOString(),
  data: {},
});

test('live events are kept without a gap, and what is dropped of many can be loaded as earlier events', () => {
  let pages: EventPages = {
    pages: [
      { recentEvents: { data: [event(2)], pageInfo: { hasNextPage: true, endCursor: event(2).id } } },
      { recentEvents: { data: [event(1)], pageInfo: { hasNextPage: false, endCursor: null } } },
    ],
    pageParams: [null, event(2).id],
  };
  for (let n = 3; n <= 1_000; n++) {
    pages = withEvent(pages, event(n));
    const listed = pages.pages.flatMap(({ recentEvents }) => recentEvents.data.map(({ id }) => id));
    expect(listed).toEqual(listed.map((_, index) => event(n - index).id));
    expect(listed.length).toBeLessThanOrEqual(501);
    const oldest = listed.at(-1);
    const { hasNextPage, endCursor } = pages.pages.at(-1)?.recentEvents.pageInfo ?? {};
    if (oldest !== event(1).id) expect({ hasNextPage, endCursor }).toEqual({ hasNextPage: true, endCursor: oldest });
  }
});
