import { useInfiniteQuery } from '@tanstack/react-query';
import { roomsQuery } from '../../rooms/room-queries.ts';
import { texts } from '../texts.ts';
import styles from './sidebar.module.css';

const refreshMs = 60_000;
const maximumShown = 99;

/** Number of unread room messages plus pending invitations. */
export function UnreadRooms() {
  const { data } = useInfiniteQuery({ ...roomsQuery(), refetchInterval: refreshMs });
  const rooms = data?.pages.flatMap((page) => page.rooms.data) ?? [];
  const unread = rooms.reduce((sum, room) => sum + (room.myState === 'INVITED' ? 1 : room.unreadCount), 0);
  if (unread === 0) return null;
  return (
    <span className={styles.unread}>
      <span aria-hidden="true">{unread > maximumShown ? `${maximumShown}+` : unread}</span>
      <span className="visually-hidden">{texts.unread(unread)}</span>
    </span>
  );
}
