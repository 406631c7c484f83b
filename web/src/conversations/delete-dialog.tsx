import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  ConversationsDocument,
  type ConversationsQuery,
  DeleteConversationDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { drafts, unsent } from '../chat/drafts/drafts.ts';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { fillIn } from '../parts/values/fill-in.tsx';
import { texts } from './texts.ts';

type Pages = InfiniteData<ConversationsQuery, string | null>;

interface DeleteDialogProps {
  id: string;
  title: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a conversation is deleted, and leaves it. */
export default function DeleteDialog({ id, title, isOpen, onClose }: DeleteDialogProps) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    // Its page would say that it was deleted elsewhere.
    await navigate({ to: '/chat' });
    void deleteConversation(cache, id);
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={texts.askDeleteConversation}
      description={<>{fillIn(texts.allMessagesDeletedGood, { title: <bdi>“{title}”</bdi> })}</>}
      action={common.delete}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** Removes a conversation from the lists at once. It is listed again, with the reason, if it cannot be deleted. */
async function deleteConversation(cache: QueryClient, id: string): Promise<void> {
  const queryKey = keyOf(ConversationsDocument);
  // A response on its way still lists it.
  await cache.cancelQueries({ queryKey });
  const lists = cache.getQueriesData<Pages>({ queryKey });
  cache.setQueriesData<Pages>({ queryKey }, (list) => list && { ...list, pages: list.pages.map(without(id)) });
  try {
    await requestRemoval(DeleteConversationDocument, { id });
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
