import type { QueryClient } from '@tanstack/react-query';
import { AgentListingDocument, ListingDocument } from '../api/generated/operations.ts';
import type { LiveUpdates } from '../api/live-events.ts';
import { keyOf } from '../api/query.ts';

/** Whether others find an agent is not in every event of it, so the listings that are shown are read again. */
const readAgain = (cache: QueryClient): void => {
  for (const document of [AgentListingDocument, ListingDocument])
    void cache.invalidateQueries({ queryKey: keyOf(document) });
};

export const listingUpdates: LiveUpdates = {
  AGENT_PUBLISHED: readAgain,
  AGENT_UNPUBLISHED: readAgain,
  MODERATION_DECIDED: readAgain,
};
