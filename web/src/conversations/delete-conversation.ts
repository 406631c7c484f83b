import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import {
  ConversationsDocument,
  type ConversationsQuery,
  DeleteConversationDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { drafts, unsent } from '../chat/drafts/drafts.ts';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';

type Pages = InfiniteData<ConversationsQuery, string | null>;

/** Removes a conversation from the lists at once. It is listed again, with the reason, if it cannot be deleted. */
export async function deleteConversation(cache: QueryClient, id: string): Promise<void> {
  const queryKey = keyOf(ConversationsDocument);
  // A response on its way still lists it.
  await cache.cancelQueries({ queryKey });
  const lists = cache.getQueriesData<Pages>({ queryKey });
  cache.setQueriesData<Pages>({ queryKey }, (list) => list && { ...list, pages: list.pages.map(without(id)) });
  try {
    await request(DeleteConversationDocument, { id });
    drafts.remove(id);
    unsent.remove(id);
  } catch (error) {
    for (const [key, list] of lists) cache.setQueryData(key, list);
    notifyFailure(texts.conversationNotDeleted, error, () => void deleteConversation(cache, id));
  }
  void cache.invalidateQueries({ queryKey });
}

const without =
  (id: string) =>
  ({ conversations }: ConversationsQuery): ConversationsQuery => ({
    conversations: { ...conversations, data: conversations.data.filter((item) => item.id !== id) },
  });
