import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Pin, PinOff } from 'lucide-react';
import {
  ArrangeConversationDocument,
  type ArrangeConversationMutationVariables,
  type ConversationQuery,
  ConversationsDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { MenuItem } from '../parts/layers/menu.tsx';
import { notify, notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';
import { conversationQuery } from './thread/thread-query.ts';

/** Pins and archives a conversation with an optimistic update that is rolled back on failure. */
export function ArrangeItems({ conversation }: { conversation: ConversationQuery['conversation'] }) {
  const cache = useQueryClient();
  const { id, pinnedAt, archivedAt } = conversation;
  const { queryKey } = conversationQuery(id);
  const set = (changes: Partial<ConversationQuery['conversation']>): void =>
    void cache.setQueryData(queryKey, { conversation: { ...conversation, ...changes } });
  const { mutate } = useMutation({
    mutationFn: (changes: Omit<ArrangeConversationMutationVariables, 'id'>) =>
      request(ArrangeConversationDocument, { id, ...changes }),
    onMutate: ({ pinned = pinnedAt !== null, archived = archivedAt !== null }) => {
      const now = new Date().toISOString();
      set({ pinnedAt: pinned ? now : null, archivedAt: archived ? now : null });
    },
    onSuccess: (_result, { archived }) => void (archived && notify(texts.archivedUnderArchivedList)),
    onError: (error) => {
      set({ pinnedAt, archivedAt });
      notifyFailure(texts.conversationStaysWhere, error);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) }),
  });
  return (
    <>
      <MenuItem
        icon={pinnedAt ? <PinOff size={16} /> : <Pin size={16} />}
        onClick={() => mutate({ pinned: pinnedAt === null })}
      >
        {pinnedAt ? texts.unpin : texts.pin}
      </MenuItem>
      <MenuItem
        icon={archivedAt ? <ArchiveRestore size={16} /> : <Archive size={16} />}
        onClick={() => mutate({ archived: archivedAt === null })}
      >
        {archivedAt ? texts.restoreArchive : texts.archive}
      </MenuItem>
    </>
  );
}
