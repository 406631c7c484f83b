import { cache } from '../api/cache.ts';
import { IntegrationDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadIntegration = (id: string) => cache.query(query(IntegrationDocument, { id }));
