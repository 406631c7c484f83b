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

type Changes = Omit<ArrangeConversationMutationVariables, 'id'>;

/** Pins and archives a conversation with an optimistic update that is rolled back on failure. */
export function ArrangeItems({ conversation }: { conversation: ConversationQuery['conversation'] }) {
  const cache = useQueryClient();
  const { id, pinnedAt, archivedAt } = conversation;
  const { queryKey } = conversationQuery(id);
  /** Changes only the named fields: others may have changed since this was rendered. */
  const set = ({ pinned, archived }: Changes, values: Pick<typeof conversation, 'pinnedAt' | 'archivedAt'>): void =>
    void cache.setQueryData(
      queryKey,
      (known) =>
        known && {
          conversation: {
            ...known.conversation,
            ...(pinned !== undefined && { pinnedAt: values.pinnedAt }),
            ...(archived !== undefined && { archivedAt: values.archivedAt }),
          },
        },
    );
  const { mutate } = useMutation({
    mutationFn: (changes: Changes) => request(ArrangeConversationDocument, { id, ...changes }),
    onMutate: async (changes) => {
      // A response on its way has the old values.
      await cache.cancelQueries({ queryKey });
      const now = new Date().toISOString();
      set(changes, { pinnedAt: changes.pinned ? now : null, archivedAt: changes.archived ? now : null });
    },
    onSuccess: (_result, { archived }) => void (archived && notify(texts.archivedUnderArchivedList)),
    onError: (error, changes) => {
      set(changes, { pinnedAt, archivedAt });
      notifyFailure(texts.conversationStaysWhere, error);
    },
    onSettled: () => {
      for (const key of [queryKey, keyOf(ConversationsDocument)]) void cache.invalidateQueries({ queryKey: key });
    },
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
