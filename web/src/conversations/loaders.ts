import { cache } from '../api/cache.ts';
import { conversationQuery } from './thread-query.ts';

export const loadConversation = (id: string) => cache.query(conversationQuery(id));
