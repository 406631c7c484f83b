import { ownAgentsQuery } from '../api/own-agents.ts';
import { cache } from '../api/cache.ts';
import { conversationQuery, loadAhead } from './thread/thread-query.ts';

/**
 * Loads a conversation. Unless it is only preloaded, also starts to load its messages: those around `messageId`, by
 * default the newest.
 */
export function loadConversation(id: string, messageId: string | undefined, isPreload: boolean) {
  if (!isPreload) loadAhead(cache, id, messageId);
  return cache.query(conversationQuery(id));
}

/** Loads the person's agents, so that the previous screen stays until a new chat can be shown. */
export const loadChatAgents = () => cache.query(ownAgentsQuery());
