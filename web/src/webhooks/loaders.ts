import { cache } from '../api/cache.ts';
import { WebhookDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadWebhook = (id: string) => cache.query(query(WebhookDocument, { id }));
