import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { changeData } from '../api/after-fetch.ts';
import {
  RoomDocument,
  RoomMembersDocument,
  RoomMessagesDocument,
  type RoomMessageFieldsFragment,
  type RoomMessagesQuery,
  type RoomQuery,
  RoomsDocument,
} from '../api/generated/operations.ts';
import { keyOf, pagedQuery, query } from '../api/query.ts';
import { request } from '../api/request.ts';

const pageSize = 50;

export const roomsQuery = () =>
  pagedQuery(RoomsDocument, {}, ({ rooms: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null));

export const roomQuery = (id: string) => query(RoomDocument, { id });

export const membersQuery = (roomId: string) => query(RoomMembersDocument, { roomId });

/** Pages of messages, newest first. They are fetched once; events of the room keep them current. */
export const messagesQuery = (roomId: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(RoomMessagesDocument, { roomId }), 'paged'],
    queryFn: ({ signal, pageParam }) =>
      request(RoomMessagesDocument, { roomId, limit: pageSize, before: pageParam || null }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ roomMessages: { data, hasMore } }): string | null =>
      hasMore ? (data.at(-1)?.id ?? null) : null,
    staleTime: Infinity,
  });

type Pages = InfiniteData<RoomMessagesQuery, string>;

const changePages = (
  cache: QueryClient,
  roomId: string,
  change: (messages: RoomMessageFieldsFragment[], page: number) => RoomMessageFieldsFragment[],
): void => {
  changeData<Pages>(
    cache,
    messagesQuery(roomId).queryKey,
    (pages) =>
      pages && {
        ...pages,
        pages: pages.pages.map(({ roomMessages }, page) => ({
          roomMessages: { ...roomMessages, data: change(roomMessages.data, page) },
        })),
      },
  );
};

/** Inserts a message at its position, unless it is already there. */
export const addMessage = (cache: QueryClient, roomId: string, message: RoomMessageFieldsFragment): void =>
  changePages(cache, roomId, (messages, page) =>
    page > 0 || messages.some(({ id }) => id === message.id)
      ? messages
      : [message, ...messages].toSorted((one, other) => other.position - one.position),
  );

export const eraseMessage = (cache: QueryClient, roomId: string, id: string): void =>
  changePages(cache, roomId, (messages) =>
    messages.map((message) =>
      message.id === id ? { ...message, content: '', citations: null, deleted: true } : message,
    ),
  );

export const patchRoom = (cache: QueryClient, id: string, patch: Partial<RoomQuery['room']>): void =>
  changeData<RoomQuery>(cache, roomQuery(id).queryKey, (known) => known && { room: { ...known.room, ...patch } });

export const readRoomAgain = async (cache: QueryClient, id: string): Promise<void> => {
  await Promise.all([
    cache.invalidateQueries({ queryKey: roomQuery(id).queryKey }),
    cache.invalidateQueries({ queryKey: membersQuery(id).queryKey }),
    cache.invalidateQueries({ queryKey: keyOf(RoomsDocument) }),
  ]);
};
