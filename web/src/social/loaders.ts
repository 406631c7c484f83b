import { cache } from '../api/cache.ts';
import { PublicProfileDocument, SharedConversationDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadShared = (token: string) => cache.query(query(SharedConversationDocument, { token }));

export const loadProfile = (username: string) => cache.query(query(PublicProfileDocument, { username }));
