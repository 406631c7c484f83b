import { Link } from '@tanstack/react-router';
import { AudioLines, CodeXml, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { RequestTurnDocument, type RoomMemberFieldsFragment, type RoomQuery } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { ApiDialog } from '../parts/page/api-dialog.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { common } from '../parts/common-texts.ts';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { Menu, MenuItem } from '../parts/layers/menu.tsx';
import { usePageActions } from '../parts/page/page-actions.ts';
import { PageTitle } from '../parts/page/page-title.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import type { LiveRoom, LiveRoomState } from './live-room.ts';
import { nameOf } from './names.ts';
import { texts } from './texts.ts';
import { classNames } from '../parts/class-names.ts';
import buttonStyles from '../parts/controls/button.module.css';
import styles from './room-page.module.css';

interface RoomHeaderProps {
  room: RoomQuery['room'];
  members: readonly RoomMemberFieldsFragment[];
  present: LiveRoomState['present'];
  live: LiveRoom;
}

const shownPeople = 5;

/** The name of a room, the people present, and actions. */
export function RoomHeader({ room, members, present, live }: RoomHeaderProps) {
  const { id, name, people, agents } = room;
  const [isApiOpen, setApiOpen] = useState(false);
  const speakers = agents.filter(({ available }) => available);
  const letSpeak = async (agentId: string): Promise<void> => {
    try {
      const { requestTurn } = await request(RequestTurnDocument, { roomId: id, agentId });
      live.addTurns([requestTurn], true);
    } catch (error) {
      notifyFailure(texts.notSpoken, error);
    }
  };
  usePageActions(
    speakers.map(({ agentId, name: agent }) => ({
      label: texts.letSpeakNamed(agent),
      run: () => void letSpeak(agentId),
    })),
  );
  return (
    <header className={styles.header}>
      <div className={styles.names}>
        <PageTitle title={name} className={styles.title} />
        <p className={styles.counts}>{texts.peopleAndAgents(people, agents.length)}</p>
      </div>
      <Present members={members} present={present} />
      {speakers.length > 0 && (
        <Menu
          trigger={
            <IconButton label={texts.letSpeak}>
              <AudioLines size={18} />
            </IconButton>
          }
        >
          {speakers.map(({ agentId, name: agent, picture }) => (
            <MenuItem
              key={agentId}
              icon={<Avatar name={agent} seed={agentId} picture={picture} size={18} />}
              onClick={() => void letSpeak(agentId)}
            >
              {texts.letSpeakNamed(agent)}
            </MenuItem>
          ))}
        </Menu>
      )}
      <IconButton label={common.sameApi} onClick={() => setApiOpen(true)}>
        <CodeXml size={18} />
      </IconButton>
      <Link
        to="/rooms/$roomId/settings"
        params={{ roomId: id }}
        className={classNames(buttonStyles.button, buttonStyles.quiet, buttonStyles.icon)}
        aria-label={texts.roomSettings}
        data-tooltip={texts.roomSettings}
      >
        <Settings2 size={18} />
      </Link>
      <ApiDialog
        isOpen={isApiOpen}
        onClose={() => setApiOpen(false)}
        call={{
          tag: 'rooms',
          method: 'POST',
          path: `/v1/rooms/${id}/messages`,
          body: { content: texts.exampleMessage },
        }}
      />
    </header>
  );
}

/** The people present, each with a dot whose accessible name is their state. */
function Present({ members, present }: Pick<RoomHeaderProps, 'members' | 'present'>) {
  const there = members.filter(({ userId }) => present.has(userId));
  if (there.length === 0) return null;
  return (
    <ul className={styles.present} aria-label={texts.whoIsThere}>
      {there.slice(0, shownPeople).map((member) => {
        const state = present.get(member.userId) === 'away' ? texts.away : texts.online;
        const label = texts.presence(nameOf(member), state);
        return (
          <li key={member.userId} title={label} data-state={present.get(member.userId)}>
            <Avatar name={nameOf(member)} seed={member.userId} picture={member.picture} size={26} />
            <span className="visually-hidden">{label}</span>
          </li>
        );
      })}
      {there.length > shownPeople && <li className={styles.others}>{texts.others(there.length - shownPeople)}</li>}
    </ul>
  );
}
