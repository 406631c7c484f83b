import { cache } from '../api/cache.ts';
import { ExploredAgentDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadExploredAgent = (id: string) => cache.query(query(ExploredAgentDocument, { id }));
