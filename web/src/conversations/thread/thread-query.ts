import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { changeData } from '../../api/after-fetch.ts';
import { asApiError } from '../../api/api-error.ts';
import {
  ConversationDocument,
  type ConversationFilter,
  ConversationsDocument,
  MeDocument,
  MessagesDocument,
  type MessagesQuery,
  type MessagesQueryVariables,
  OpenConversationDocument,
  type ThreadMessageFragment,
} from '../../api/generated/operations.ts';
import { keyOf, pagedQuery, query } from '../../api/query.ts';
import { request } from '../../api/request.ts';
import type { Replaced } from '../../chat/replies/live-reply.ts';
import { notify } from '../../parts/layers/toast-store.ts';
import { texts } from '../texts.ts';

const pageSize = 50;
/** Fills the window: the shortest question and its reply take 190 px. A slow phone renders fewer messages sooner. */
const firstPageSize = (): number => Math.min(pageSize, Math.max(8, Math.ceil(window.innerHeight / 80)));

export const conversationQuery = (id: string) => query(ConversationDocument, { id });

/** Maximum number of cached pages. Pages at the far end are dropped and load again. */
const maximumPages = 8;
/** Cursor of a page. Empty for the first one: the newest messages, or those around the message in `openedAt`. */
type PagePosition = Pick<MessagesQueryVariables, 'after' | 'newerThan'>;
/** Id of the message that a thread was opened at, by conversation. */
const openedAt = new Map<string, string>();

/** Pages of messages, newest first. The next page is older, the previous page newer. */
export const messagesQuery = (conversationId: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(MessagesDocument, { conversationId, limit: pageSize }), 'paged'],
    queryFn: ({ signal, pageParam }) => readPage(conversationId, pageParam, signal),
    initialPageParam: {} as PagePosition,
    getNextPageParam: ({ messages: { pageInfo } }): PagePosition | null =>
      pageInfo.hasNextPage ? { after: pageInfo.endCursor } : null,
    getPreviousPageParam: ({ messages: { hasNewer, startCursor } }): PagePosition | null =>
      hasNewer ? { newerThan: startCursor } : null,
    maxPages: maximumPages,
    // Complete replies are added to the cache. Refetching would read every loaded page again.
    staleTime: Infinity,
  });

async function readPage(conversationId: string, position: PagePosition, signal: AbortSignal): Promise<MessagesQuery> {
  const page = { conversationId, limit: pageSize, ...position };
  if (position.after || position.newerThan) return request(MessagesDocument, page, { signal });
  const newest = { conversationId, limit: firstPageSize() };
  const around = openedAt.get(conversationId);
  if (around === undefined) return request(MessagesDocument, newest, { signal });
  try {
    return await request(MessagesDocument, { ...page, around }, { signal });
  } catch (error) {
    if (asApiError(error).code !== 'NOT_FOUND') throw error;
    openedAt.delete(conversationId);
    const messages = await request(MessagesDocument, newest, { signal });
    notify(texts.messageNotConversationAny);
    return messages;
  }
}

/** Starts to load a thread in parallel with its conversation. No-op if it is already loaded or loading. */
export function loadAhead(cache: QueryClient, conversationId: string, messageId: string | undefined): void {
  const thread = messagesQuery(conversationId);
  if (cache.getQueryState(thread.queryKey)) return;
  setOpenedAt(conversationId, messageId);
  // The thread reports the error and retries.
  void cache.infiniteQuery(thread).catch(() => undefined);
}

/**
 * Requests the account, a conversation and its messages at once, for a page that shows them first. When that fails, each is
 * requested by itself, so that its own error is reported.
 */
export function loadTogether(cache: QueryClient, conversationId: string, messageId: string | undefined): void {
  setOpenedAt(conversationId, messageId);
  const place = messageId === undefined ? { limit: firstPageSize() } : { limit: pageSize, around: messageId };
  const opening = request(OpenConversationDocument, { id: conversationId, conversationId, ...place });
  const pages = messagesQuery(conversationId);
  const loading = [
    cache.query({
      ...query(MeDocument, {}),
      queryFn: () => opening.catch(() => request(MeDocument, {})),
      staleTime: 'static',
    }),
    cache.query({
      ...conversationQuery(conversationId),
      queryFn: () => opening.catch(() => request(ConversationDocument, { id: conversationId })),
    }),
    cache.infiniteQuery({
      ...pages,
      queryFn: ({ signal, pageParam }) => opening.catch(() => readPage(conversationId, pageParam, signal)),
    }),
  ];
  // The screen repeats what failed, and reports it.
  for (const one of loading) one.catch(() => undefined);
}

/** Called before a thread is shown: keeps the loaded pages if they contain its end, or the message to open it at. */
export function prepareThread(cache: QueryClient, conversationId: string, messageId: string | undefined): void {
  const { queryKey } = messagesQuery(conversationId);
  const state = cache.getQueryState(queryKey);
  const isLoading = state?.fetchStatus === 'fetching' && !state.data && openedAt.get(conversationId) === messageId;
  const isLoaded =
    messageId === undefined
      ? state?.data !== undefined && !isHeadDropped(cache, conversationId)
      : hasMessage(cache, conversationId, messageId);
  if (isLoading || isLoaded) return;
  setOpenedAt(conversationId, messageId);
  cache.removeQueries({ queryKey });
}

/** Loads a thread again, around a message or at its end. */
export function reloadThread(cache: QueryClient, conversationId: string, messageId?: string): Promise<void> {
  setOpenedAt(conversationId, messageId);
  return cache.resetQueries({ queryKey: messagesQuery(conversationId).queryKey });
}

/** Like `reloadThread`, and keeps the messages that are shown until the others have arrived. */
export async function showAround(cache: QueryClient, conversationId: string, messageId: string): Promise<void> {
  setOpenedAt(conversationId, messageId);
  const { queryKey } = messagesQuery(conversationId);
  const page = await readPage(conversationId, {}, new AbortController().signal);
  // A further page that is loading would be added to the earlier messages.
  await cache.cancelQueries({ queryKey });
  cache.setQueryData<Pages>(queryKey, { pages: [page], pageParams: [{}] });
}

function setOpenedAt(conversationId: string, messageId: string | undefined): void {
  if (messageId === undefined) openedAt.delete(conversationId);
  else openedAt.set(conversationId, messageId);
}

/** Pages of conversations; by default those that are not archived. */
export const conversationsQuery = (filter: ConversationFilter = 'OPEN') =>
  pagedQuery(ConversationsDocument, { limit: 30, filter }, ({ conversations }) =>
    conversations.pageInfo.hasNextPage ? conversations.pageInfo.endCursor : null,
  );

type Pages = InfiniteData<MessagesQuery, PagePosition>;

const changePages = (
  cache: QueryClient,
  conversationId: string,
  change: (messages: ThreadMessageFragment[]) => ThreadMessageFragment[],
): void => {
  changeData<Pages>(
    cache,
    messagesQuery(conversationId).queryKey,
    (pages) =>
      pages && {
        ...pages,
        pages: pages.pages.map((page) => ({
          ...page,
          messages: { ...page.messages, data: change(page.messages.data) },
        })),
      },
  );
};

/**
 * Removes a message and those after it from the cache, because they are now on another branch. Returns whether the
 * message was loaded.
 */
export function dropFrom(cache: QueryClient, conversationId: string, { id, createdAt }: Replaced): boolean {
  if (!hasMessage(cache, conversationId, id)) return false;
  changePages(cache, conversationId, (messages) => {
    // Already removed: what follows is on the new branch.
    if (!hasMessage(cache, conversationId, id)) return messages;
    const index = messages.findIndex((message) => message.id === id);
    return index >= 0 ? messages.slice(index + 1) : messages.filter((message) => message.createdAt < createdAt);
  });
  return true;
}

export const patchMessage = (
  cache: QueryClient,
  conversationId: string,
  messageId: string,
  patch: Partial<ThreadMessageFragment>,
): void =>
  changePages(cache, conversationId, (messages) =>
    messages.map((message) => (message.id === messageId ? { ...message, ...patch } : message)),
  );

export const hasMessage = (cache: QueryClient, conversationId: string, messageId: string): boolean =>
  cache
    .getQueryData<Pages>(messagesQuery(conversationId).queryKey)
    ?.pages.some(({ messages }) => messages.data.some(({ id }) => id === messageId)) ?? false;

/** Whether the page of the newest messages was dropped, because the reader scrolled far up. */
export const isHeadDropped = (cache: QueryClient, conversationId: string): boolean =>
  cache.getQueryData<Pages>(messagesQuery(conversationId).queryKey)?.pages[0]?.messages.hasNewer ?? false;

/** Adds the newest stored messages to the cache and invalidates the lists. */
export async function showStored(cache: QueryClient, conversationId: string): Promise<void> {
  // They load when the reader scrolls there.
  if (isHeadDropped(cache, conversationId)) return;
  const thread = messagesQuery(conversationId);
  // A page that is still loading may have been read before these messages were stored.
  if (cache.getQueryState(thread.queryKey)) await cache.infiniteQuery(thread);
  const read = async (limit: number) => (await request(MessagesDocument, { conversationId, limit })).messages.data;
  const isJoined = (): boolean => newest.some(({ id }) => hasMessage(cache, conversationId, id));
  let newest = await read(2);
  // More were stored since the thread was read, or they are on another branch.
  if (!isJoined()) newest = await read(pageSize);
  if (!isJoined()) return reloadThread(cache, conversationId);
  const fresh = new Set(newest.map(({ id }) => id));
  changeData<Pages>(cache, thread.queryKey, (pages) => {
    const [first, ...rest] = pages?.pages ?? [];
    // Without a common message, the thread was loaded elsewhere meanwhile.
    if (!pages || !first || first.messages.hasNewer || !isJoined()) return pages;
    const known = pages.pages.flatMap(({ messages }) => messages.data);
    // Before the first common message are those of another branch, and those stored after this response.
    const before = known.slice(
      0,
      known.findIndex(({ id }) => fresh.has(id)),
    );
    const later = before.filter(({ createdAt }) => createdAt > (newest[0]?.createdAt ?? ''));
    const older = ({ messages }: MessagesQuery) =>
      messages.data.filter((message) => !fresh.has(message.id) && !before.includes(message));
    const withData = (page: MessagesQuery, data: ThreadMessageFragment[]): MessagesQuery => ({
      messages: { ...page.messages, data },
    });
    return {
      ...pages,
      pages: [
        withData(first, [...later, ...newest, ...older(first)]),
        ...rest.map((page) => withData(page, older(page))),
      ],
    };
  });
  void cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) });
}
