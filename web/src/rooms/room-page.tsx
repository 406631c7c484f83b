import { useInfiniteQuery, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import {
  MeDocument,
  PostRoomMessageDocument,
  type RoomMessageFieldsFragment,
  type RoomQuery,
  RoomTurnsDocument,
  UsageDocument,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Composer, type ComposerHandle } from '../chat/composer/composer.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { Page } from '../parts/page/page.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { Invitations } from './invitations.tsx';
import { LiveRoom } from './live-room.ts';
import { nameOf } from './names.ts';
import { RoomHeader } from './room-header.tsx';
import { RoomOffer } from './room-offer.tsx';
import { addMessage, membersQuery, messagesQuery, readRoomAgain, roomQuery } from './room-queries.ts';
import { type PendingMessage, RoomThread } from './room-thread.tsx';
import { texts } from './texts.ts';
import { TypingLine } from './typing-line.tsx';
import styles from './room-page.module.css';

const maximumCharacters = 8_000;

export function RoomPage() {
  const { roomId } = useParams({ from: '/frame/rooms/$roomId' });
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { room } = useSuspenseQuery(roomQuery(roomId)).data;
  if (room.myState === 'JOINED') return <OpenRoom key={roomId} room={room} />;
  return (
    <Page title={room.name}>
      <Invitations
        rooms={[room]}
        onAnswered={(hasJoined) => {
          void readRoomAgain(cache, roomId);
          if (!hasJoined) void navigate({ to: '/rooms' });
        }}
      />
    </Page>
  );
}

function OpenRoom({ room }: { room: RoomQuery['room'] }) {
  const { id } = room;
  const cache = useQueryClient();
  const pages = useInfiniteQuery(messagesQuery(id));
  const { data: listed } = useQuery({ ...membersQuery(id), staleTime: 0 });
  const { data: account } = useQuery(query(MeDocument, {}));
  const [live] = useState(() => new LiveRoom(id, cache));
  const state = useSyncExternalStore(live.subscribe, () => live.state);
  const [answered, setAnswered] = useState<RoomMessageFieldsFragment | null>(null);
  const [pending, setPending] = useState<readonly PendingMessage[]>([]);
  const composer = useRef<ComposerHandle>(null);
  const newest = pages.data?.pages[0]?.roomMessages.data[0]?.position;
  useFollowing(live, id, newest, pages.data !== undefined);
  const members = useMemo(() => listed?.roomMembers.data ?? [], [listed]);
  const myId = account?.me.id ?? '';
  const addressees = useMemo(
    () => [
      ...room.agents.map(({ agentId, name }) => ({ id: agentId, handle: name, label: name })),
      ...members
        .filter(({ state: membership, userId, username }) => membership === 'JOINED' && userId !== myId && username)
        .map((member) => ({ id: member.userId, handle: member.username ?? '', label: nameOf(member) })),
    ],
    [room.agents, members, myId],
  );
  const post = async (content: string): Promise<void> => {
    const sent = { content, after: newest ?? 0 };
    setPending((others) => [...others, sent]);
    setAnswered(null);
    try {
      const input = { content, replyTo: answered?.id ?? null };
      const { postRoomMessage } = await request(PostRoomMessageDocument, { roomId: id, input });
      addMessage(cache, id, postRoomMessage.message);
      live.addTurns(postRoomMessage.turns, true);
      void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
    } catch (error) {
      setAnswered((chosen) => chosen ?? answered);
      notifyFailure(texts.notSent, error);
      throw error;
    } finally {
      setPending((others) => others.filter((other) => other !== sent));
    }
  };
  if (state.isGone) return <ClosedRoom name={room.name} />;
  return (
    <div className={styles.page}>
      <RoomHeader room={room} members={members} present={state.present} live={live} />
      <RoomOffer room={room} myId={myId} onAnswered={() => readRoomAgain(cache, id)} />
      {pages.error && !pages.data ? (
        <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />
      ) : (
        <RoomThread
          room={room}
          myId={myId}
          live={live}
          state={state}
          pending={pending}
          onReply={(message) => {
            setAnswered(message);
            composer.current?.focus();
          }}
        />
      )}
      <div className={styles.foot}>
        <TypingLine state={state} members={members} myId={myId} />
        {answered && (
          <p className={styles.answered}>
            <span dir="auto">{texts.replyingTo(answered.author.name)}</span>
            <span dir="auto">{answered.content.slice(0, 120)}</span>
            <IconButton size="small" label={texts.cancelReply} onClick={() => setAnswered(null)}>
              <X size={16} />
            </IconButton>
          </p>
        )}
        <Composer
          handle={composer}
          draft={id}
          isWriting={false}
          maximum={maximumCharacters}
          placeholder={texts.writeToRoom}
          autoFocus={!matchMedia('(pointer: coarse)').matches}
          addressees={addressees}
          onType={() => live.type()}
          onSend={post}
        />
      </div>
    </div>
  );
}

/**
 * Follows a room's events after the newest loaded message, once messages are loaded. Without a message, from the start:
 * the last position of the room may have been read later, and already count one.
 */
function useFollowing(live: LiveRoom, id: string, newest: number | undefined, isReady: boolean): void {
  const cache = useQueryClient();
  const start = useRef('');
  useEffect(() => {
    start.current = String(newest ?? 0);
  });
  useEffect(() => {
    if (!isReady) return;
    void request(RoomTurnsDocument, { roomId: id }).then(
      ({ roomTurns }) => live.addTurns(roomTurns.data.filter(({ state }) => state === 'QUEUED' || state === 'RUNNING')),
      // Ignored: events report the turns too.
      () => undefined,
    );
    const close = live.open(start.current);
    return () => {
      // Events were missed before the newest message, if that is the person's own.
      if (!live.state.isLive)
        void cache.invalidateQueries({ queryKey: messagesQuery(id).queryKey, refetchType: 'none' });
      close();
    };
  }, [cache, id, isReady, live]);
}

const ClosedRoom = ({ name }: { name: string }) => (
  <Page title={name}>
    <EmptyState
      icon={<X size={20} />}
      title={texts.closedToYou}
      action={
        <ButtonLink to="/rooms" variant="primary">
          {texts.rooms}
        </ButtonLink>
      }
    >
      {texts.closedWhy}
    </EmptyState>
  </Page>
);
