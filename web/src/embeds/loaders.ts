import { cache } from '../api/cache.ts';
import { EmbedDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadEmbed = (id: string) => cache.query(query(EmbedDocument, { id }));
