import { useState } from 'react';
import type { RoomMessageFieldsFragment, RoomQuery } from '../api/generated/operations.ts';
import { plainText } from '../chat/plain-text.ts';
import type { LiveTurn } from './live-room.ts';
import { agentOf } from './names.ts';
import { texts } from './texts.ts';

interface RoomAnnouncerProps {
  room: RoomQuery['room'];
  turns: readonly LiveTurn[];
  newest: RoomMessageFieldsFragment | undefined;
}

const maximumCharacters = 1_000;

/** Announces to screen readers who is writing, then each complete message: announcing every word would be unusable. */
export function RoomAnnouncer({ room, turns, newest }: RoomAnnouncerProps) {
  const [start] = useState(newest?.id);
  const writing = turns.find(({ state }) => state === 'RUNNING');
  const said = writing
    ? texts.isWriting(agentOf(room, writing.agentId).name)
    : newest && newest.id !== start && !newest.deleted && !newest.blocked
      ? texts.said(newest.author.name, plainText(newest.content).slice(0, maximumCharacters))
      : '';
  return (
    <div className="visually-hidden" role="status" data-announcer="">
      {said}
    </div>
  );
}
