import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import type { RoomsQuery } from '../api/generated/operations.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { usePageActions } from '../parts/page/page-actions.ts';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { Invitations } from './invitations.tsx';
import { NewRoomDialog } from './new-room-dialog.tsx';
import { roomsQuery } from './room-queries.ts';
import { texts } from './texts.ts';
import styles from './rooms.module.css';

type Row = RoomsQuery['rooms']['data'][number];

const columns: Column<Row>[] = [
  {
    title: common.name,
    render: ({ id, name, unreadCount }) => (
      <span className={styles.name} data-unread={unreadCount > 0 || undefined}>
        <Link to="/rooms/$roomId" params={{ roomId: id }} dir="auto">
          {name}
        </Link>
        {unreadCount > 0 && <Unread messages={unreadCount} />}
      </span>
    ),
  },
  {
    title: texts.whoIsIn,
    isMinor: true,
    render: ({ people, agents }) => (
      <span title={agents.map(({ name }) => name).join(', ')}>{texts.peopleAndAgents(people, agents.length)}</span>
    ),
  },
  {
    title: texts.lastMessage,
    width: '140px',
    render: ({ lastMessageAt }) => (lastMessageAt ? <TimeAgo date={lastMessageAt} /> : '–'),
  },
];

const Unread = ({ messages }: { messages: number }) => (
  <span className={styles.unread} title={texts.unread(messages)}>
    <span aria-hidden="true">{texts.unreadShort(messages)}</span>
    <span className="visually-hidden">{texts.unread(messages)}</span>
  </span>
);

/** The person's invitations and rooms, by latest message. */
export function RoomsPage() {
  const cache = useQueryClient();
  const list = useInfiniteQuery({ ...roomsQuery(), staleTime: 0, refetchInterval: 30_000 });
  const [isNew, setNew] = useState(false);
  usePageActions([{ label: texts.newRoom, run: () => setNew(true) }]);
  const all = list.data?.pages.flatMap((page) => page.rooms.data);
  const rooms = all?.filter(({ myState }) => myState === 'JOINED');
  const invitations = all?.filter(({ myState }) => myState === 'INVITED') ?? [];
  const newButton = (
    <Button variant="primary" onClick={() => setNew(true)}>
      <Plus size={16} />
      {texts.newRoom}
    </Button>
  );
  return (
    <Page title={texts.rooms} lead={texts.lead} action={(rooms ? rooms.length > 0 : list.isError) && newButton}>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!rooms && !list.error && <Skeleton lines={['100%', '100%', '100%']} height={44} />}
      <Invitations
        rooms={invitations}
        onAnswered={() => void cache.invalidateQueries({ queryKey: roomsQuery().queryKey })}
      />
      {rooms?.length === 0 && (
        <EmptyState icon={<Users size={20} />} title={texts.noRoomYet} action={newButton}>
          {texts.whatRoom} <a href="/docs/guide/rooms">{texts.readGuide}</a>
        </EmptyState>
      )}
      {rooms && rooms.length > 0 && (
        <DataTable label={texts.rooms} columns={columns} rows={rooms} idOf={({ id }) => id} />
      )}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
      <ApiNote tag="rooms" path="/v1/rooms" />
      <NewRoomDialog isOpen={isNew} onClose={() => setNew(false)} />
    </Page>
  );
}
