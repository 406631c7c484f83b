import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, MessagesSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import {
  MarkRoomReadDocument,
  type RoomMessageFieldsFragment,
  type RoomQuery,
  RoomsDocument,
  StopTurnsDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { MoreMessages } from '../chat/thread/more-messages.tsx';
import { useThreadScroll } from '../chat/thread/use-thread-scroll.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { isFailed, type LiveRoom, type LiveRoomState, type LiveTurn } from './live-room.ts';
import { LiveTurnView } from './live-turn.tsx';
import { RoomAnnouncer } from './room-announcer.tsx';
import { patchRoom, messagesQuery } from './room-queries.ts';
import { ReservedActions, RoomMessage } from './room-message.tsx';
import { texts } from './texts.ts';
import threadStyles from '../chat/thread/thread.module.css';
import messageStyles from '../chat/thread/message.module.css';
import styles from './room-page.module.css';

/** A message that is being sent. */
export interface PendingMessage {
  content: string;
  /** Position of the newest message when it was sent. */
  after: number;
}

interface RoomThreadProps {
  room: RoomQuery['room'];
  myId: string;
  live: LiveRoom;
  state: LiveRoomState;
  pending: readonly PendingMessage[];
  onReply: (message: RoomMessageFieldsFragment) => void;
}

/** The loaded messages, those being sent, and the replies being generated. */
export function RoomThread({ room, myId, live, state, pending, onReply }: RoomThreadProps) {
  const { id } = room;
  const pages = useInfiniteQuery(messagesQuery(id));
  const messages = pages.data?.pages.flatMap((page) => page.roomMessages.data).toReversed() ?? [];
  const { scroller, content, spacer, canGoToEnd, goToEnd } = useThreadScroll(null, pages.data !== undefined, false);
  const newest = messages.at(-1);
  useReading(room, newest?.position ?? 0, !canGoToEnd);
  const lastSent = useRef(0);
  useEffect(() => {
    if (pending.length > lastSent.current) goToEnd();
    lastSent.current = pending.length;
  });
  const byId = new Map(messages.map((message) => [message.id, message]));
  const moderates = room.myRole !== 'MEMBER';
  const isEmpty = pages.data && messages.length === 0 && pending.length === 0 && state.turns.length === 0;
  const isMine = (message: RoomMessageFieldsFragment | undefined): boolean => message?.author.id === myId;
  // Its event may arrive before the response.
  const isMissing = ({ content: text, after }: PendingMessage): boolean =>
    !messages.some((message) => isMine(message) && message.position > after && message.content === text);
  const canStop = (turn: LiveTurn): boolean =>
    !isFailed(turn) && (moderates || turn.isMine || isMine(byId.get(turn.rootMessageId ?? '')));
  return (
    <>
      <RoomAnnouncer room={room} turns={state.turns} newest={newest} />
      <div
        ref={scroller}
        className={threadStyles.scroller}
        role="log"
        aria-live="off"
        aria-label={common.messages}
        tabIndex={0}
      >
        <div ref={content} className={threadStyles.content}>
          {!pages.data && <Skeleton lines={['40%', '90%', '85%', '60%']} />}
          {isEmpty && (
            <EmptyState icon={<MessagesSquare size={20} />} title={texts.noMessageYet}>
              {texts.noMessageYetText}
            </EmptyState>
          )}
          <MoreMessages
            label={texts.earlierMessages}
            side="before"
            hasMore={pages.hasNextPage}
            isLoading={pages.isFetchingNextPage}
            edge={messages[0]?.id}
            onLoad={() => void pages.fetchNextPage()}
            scroller={scroller}
          />
          {messages.map((message) => (
            <RoomMessage
              key={message.id}
              roomId={id}
              message={message}
              referred={message.replyTo ? (byId.get(message.replyTo) ?? null) : undefined}
              isMine={isMine(message)}
              canDelete={!message.deleted && (isMine(message) || moderates)}
              onReply={onReply}
            />
          ))}
          {pending.filter(isMissing).map(({ content: text }, index) => (
            <article key={index} className={messageStyles.user} aria-label={texts.you} aria-busy="true">
              <div className={styles.said}>
                <div className={messageStyles.bubble} dir="auto">
                  {text}
                </div>
              </div>
              <ReservedActions />
            </article>
          ))}
          {state.turns.map((turn) => (
            <LiveTurnView
              key={turn.id}
              room={room}
              turn={turn}
              canStop={canStop(turn)}
              onDismiss={() => live.dismiss(turn.id)}
            />
          ))}
          {state.turns.filter(canStop).length > 1 && (
            <div className={threadStyles.more}>
              <Button size="small" onClick={() => void stopAll(id)}>
                {texts.stopAll}
              </Button>
            </div>
          )}
        </div>
        <div ref={spacer} aria-hidden="true" />
      </div>
      {canGoToEnd && (
        <div className={threadStyles.end}>
          <Button size="small" onClick={goToEnd}>
            <ArrowDown size={14} />
            {texts.toTheEnd}
          </Button>
        </div>
      )}
    </>
  );
}

const stopAll = (roomId: string): Promise<unknown> =>
  request(StopTurnsDocument, { roomId }).catch((error: unknown) => notifyFailure(texts.notStopped, error));

/** Marks the room as read up to the newest message while its end is in view and the tab is visible. */
function useReading(room: RoomQuery['room'], newest: number, isAtEnd: boolean): void {
  const cache = useQueryClient();
  const { id } = room;
  const read = useRef(room.lastPosition - room.unreadCount);
  useEffect(() => {
    const mark = (): void => {
      if (!isAtEnd || document.hidden || newest <= read.current) return;
      const before = read.current;
      read.current = newest;
      request(MarkRoomReadDocument, { roomId: id, position: newest }).then(
        ({ markRoomRead }) => {
          patchRoom(cache, id, { unreadCount: markRoomRead.unreadCount });
          void cache.invalidateQueries({ queryKey: keyOf(RoomsDocument) });
        },
        // Retried with the next message.
        () => void (read.current = before),
      );
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [cache, id, isAtEnd, newest]);
}
