import { useState } from 'react';
import type { RoomMessageFieldsFragment, RoomQuery } from '../api/generated/operations.ts';
import { plainText } from '../../../src/core/markdown/plain-text.ts';
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
  const said = newest && newest.id !== start ? announcement(newest) : '';
  return (
    <div className="visually-hidden" role="status" data-announcer="">
      {writing ? texts.isWriting(agentOf(room, writing.agentId).name) : said}
    </div>
  );
}

function announcement({ author, content, deleted, blocked }: RoomMessageFieldsFragment): string {
  if (deleted || blocked) return '';
  return texts.said(author.name, plainText(content).slice(0, maximumCharacters));
}
