import { cache } from '../api/cache.ts';
import { conversationQuery, loadAhead } from './thread-query.ts';

/** Loads a conversation and, unless it is only hovered over, its newest messages or those around one of them. */
export function loadConversation(id: string, messageId: string | undefined, isHovered: boolean) {
  if (!isHovered) loadAhead(cache, id, messageId);
  return cache.query(conversationQuery(id));
}
