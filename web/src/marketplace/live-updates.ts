import type { QueryClient } from '@tanstack/react-query';
import { AgentListingDocument, ListingDocument } from '../api/generated/operations.ts';
import type { LiveUpdates } from '../api/live-events.ts';
import { keyOf } from '../api/query.ts';

/** Invalidates the shown listings, because not every event of an agent contains the state of its listing. */
const readAgain = (cache: QueryClient): void => {
  for (const document of [AgentListingDocument, ListingDocument])
    void cache.invalidateQueries({ queryKey: keyOf(document) });
};

export const listingUpdates: LiveUpdates = {
  AGENT_PUBLISHED: readAgain,
  AGENT_UNPUBLISHED: readAgain,
  MODERATION_DECIDED: readAgain,
};
