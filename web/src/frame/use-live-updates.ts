import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { agentUpdates } from '../agents/live-updates.ts';
import { MeDocument, type MeQuery } from '../api/generated/operations.ts';
import { followLiveEvents, type LiveUpdates } from '../api/live-events.ts';
import { query } from '../api/query.ts';
import { lastEventBefore } from '../api/session.ts';
import { billingUpdates } from '../billing/live-updates.ts';
import { conversationUpdates } from '../conversations/live-updates.ts';
import { integrationUpdates } from '../integrations/live-updates.ts';
import { listingUpdates } from '../marketplace/live-updates.ts';
import { moderationUpdates } from '../moderation/live-updates.ts';

/** Cache updates of the features. Several features may handle the same event type. */
const features: readonly LiveUpdates[] = [
  conversationUpdates,
  agentUpdates,
  billingUpdates,
  integrationUpdates,
  listingUpdates,
  moderationUpdates,
];

const me = query(MeDocument, {});
const lastEventOf = ({ recentEvents }: MeQuery): string | null => recentEvents.data[0]?.id ?? null;

/** Applies live events to the cache while a page is open. */
export function useLiveUpdates(): void {
  const cache = useQueryClient();
  useEffect(
    () =>
      followLiveEvents({
        after: lastEventBefore(),
        findLast: async () => lastEventOf(await cache.query({ ...me, staleTime: 0 })),
        onEvent: (event) => {
          for (const updates of features) updates[event.type]?.(cache, event);
        },
        onGap: () => void cache.invalidateQueries(),
      }),
    [cache],
  );
}
