import type { RoomMemberFieldsFragment } from '../api/generated/operations.ts';
import type { LiveRoomState } from './live-room.ts';
import { nameOf } from './names.ts';
import { texts } from './texts.ts';
import styles from './room-page.module.css';

interface TypingLineProps {
  state: LiveRoomState;
  members: readonly RoomMemberFieldsFragment[];
  myId: string;
}

/** Who is typing, or that the connection is lost. It keeps its height while empty. */
export function TypingLine({ state, members, myId }: TypingLineProps) {
  const names = members
    .filter(({ userId }) => userId !== myId && state.typing.includes(userId))
    .map((member) => nameOf(member));
  return (
    <p className={styles.typing} role="status" dir="auto">
      {state.wasLive && !state.isLive ? texts.notConnected : said(names)}
    </p>
  );
}

function said([first, second, third]: readonly string[]): string {
  if (first === undefined) return '';
  if (second === undefined) return texts.typing(first);
  return third === undefined ? texts.typingTwo(first, second) : texts.several;
}
