import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { changeData } from '../api/after-fetch.ts';
import { ConversationsDocument, type ConversationsQuery, UsageDocument } from '../api/generated/operations.ts';
import { type LiveEvent, type LiveUpdates, textIn } from '../api/live-events.ts';
import { keyOf } from '../api/query.ts';
import { findLiveReply, removeLiveReply } from '../chat/replies/live-replies.ts';
import { conversationQuery, conversationsQuery, hasMessage, messagesQuery, showStored } from './thread/thread-query.ts';

type Listed = ConversationsQuery['conversations']['data'][number];
type Pages = InfiniteData<ConversationsQuery, string | null>;

const { queryKey: listKey } = conversationsQuery();

/** Applies changes made in another tab, on another device or on a chat platform. */
export const conversationUpdates: LiveUpdates = {
  CONVERSATION_CREATED: (cache, event) => {
    const id = textIn(event, 'id');
    const unset = { pinnedAt: null, lastMessage: null };
    const title = textIn(event, 'title') || null;
    toTop(cache, id, (listed) => (listed ? undefined : { id, title, updatedAt: event.createdAt, ...unset }));
  },
  CONVERSATION_DELETED: (cache, event) => {
    const id = textIn(event, 'id');
    changeList(cache, (list) => list.filter((item) => item.id !== id));
    void cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) });
    removeLiveReply(id);
    // An open page learns from the conversation that it is gone, before its messages are dropped.
    void cache
      .invalidateQueries({ queryKey: conversationQuery(id).queryKey })
      .then(() => cache.removeQueries({ queryKey: messagesQuery(id).queryKey }));
  },
  MESSAGE_CREATED: (cache, event) => {
    const id = textIn(event, 'conversation_id');
    if (!findListed(cache, id)) void cache.invalidateQueries({ queryKey: listKey });
    toTop(cache, id, (listed) => listed && { ...listed, updatedAt: event.createdAt });
    void showMessage(cache, id, event);
  },
  MESSAGE_FAILED: (cache, event) => {
    const id = textIn(event, 'conversation_id');
    if (!isReplying(id, event)) void cache.invalidateQueries({ queryKey: conversationQuery(id).queryKey });
  },
};

/** Adds a message to a loaded thread, unless this page wrote it. Streams a reply that has started. */
async function showMessage(cache: QueryClient, id: string, event: LiveEvent): Promise<void> {
  // Also a thread that is being read: the response may be older than this event.
  const isShown = cache.getQueryState(messagesQuery(id).queryKey) !== undefined;
  if (!isShown || isReplying(id, event) || hasMessage(cache, id, textIn(event, 'message_id'))) return;
  // A failure stays only with a message that is not stored.
  const live = findLiveReply(id)?.state;
  if (live?.status === 'failed' && live.unsentKey === null) removeLiveReply(id);
  await showStored(cache, id).catch(() => cache.invalidateQueries({ queryKey: messagesQuery(id).queryKey }));
  if (textIn(event, 'role') !== 'user') return;
  void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
  void cache.invalidateQueries({ queryKey: conversationQuery(id).queryKey });
}

/**
 * Whether a reply is generated here, or was and the message belongs to it. The thread shows at its end what was stored
 * meanwhile.
 */
function isReplying(id: string, event: LiveEvent): boolean {
  const live = findLiveReply(id)?.state;
  if (!live || live.status === 'failed') return false;
  return live.stored === null || Object.values(live.stored).includes(textIn(event, 'message_id'));
}

const findListed = (cache: QueryClient, id: string): Listed | undefined =>
  cache
    .getQueryData<Pages>(listKey)
    ?.pages.flatMap(({ conversations }) => conversations.data)
    .find((item) => item.id === id);

const changeList = (cache: QueryClient, change: (list: Listed[], page: number) => Listed[]): void => {
  changeData<Pages>(
    cache,
    listKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page, index) => ({
          ...page,
          conversations: { ...page.conversations, data: change(page.conversations.data, index) },
        })),
      },
  );
};

/** Puts what `change` returns for the listed conversation at the top, unless it returns nothing. */
const toTop = (cache: QueryClient, id: string, change: (listed: Listed | undefined) => Listed | undefined): void =>
  changeList(cache, (list, page) => {
    const item = change(findListed(cache, id));
    if (!item) return list;
    const others = list.filter((other) => other.id !== id);
    return page === 0 ? [item, ...others] : others;
  });
