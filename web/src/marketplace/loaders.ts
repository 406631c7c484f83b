import { cache } from '../api/cache.ts';
import { AgentListingDocument, ListingDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadListing = (id: string) => cache.query(query(ListingDocument, { id }));

export const loadOwnListing = (agentId: string) => cache.query(query(AgentListingDocument, { agentId }));
