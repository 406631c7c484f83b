import { cache } from '../api/cache.ts';
import { StudioAgentDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadStudioAgent = (id: string) => cache.query(query(StudioAgentDocument, { id }));
