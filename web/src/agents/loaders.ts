import { cache } from '../api/cache.ts';
import { AgentDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadAgent = (id: string) => cache.query(query(AgentDocument, { id }));
