import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import {
  InviteToRoomDocument,
  RemoveRoomMemberDocument,
  type RoomMemberFieldsFragment,
  type RoomMemberPatch,
  type RoomQuery,
  TransferRoomDocument,
  UpdateRoomMemberDocument,
} from '../api/generated/operations.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../parts/layers/menu.tsx';
import { serviceNow } from '../api/service-time.ts';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { notify, notifyFailure } from '../parts/layers/toast-store.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { nameOf } from './names.ts';
import { membersQuery } from './room-queries.ts';
import { roleTexts, texts } from './texts.ts';
import styles from './rooms.module.css';

interface RoomMembersProps {
  room: RoomQuery['room'];
  myId: string;
  onChanged: () => Promise<void>;
}

const muteMs = 60 * 60_000;

/** The members of a room, with the actions that the person's role allows. */
export function RoomMembers({ room, myId, onChanged }: RoomMembersProps) {
  const { data, error, refetch } = useQuery({ ...membersQuery(room.id), staleTime: 0 });
  return (
    <section className={styles.section} aria-labelledby="people">
      <h2 id="people">{texts.people}</h2>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['100%', '100%']} height={44} />}
      <ul className={styles.rows}>
        {data?.roomMembers.data.map((member) => (
          <Member key={member.userId} room={room} member={member} isMe={member.userId === myId} onChanged={onChanged} />
        ))}
      </ul>
      {room.myRole !== 'MEMBER' && <InviteForm roomId={room.id} onChanged={onChanged} />}
    </section>
  );
}

interface MemberProps {
  room: RoomQuery['room'];
  member: RoomMemberFieldsFragment;
  isMe: boolean;
  onChanged: () => Promise<void>;
}

function Member({ room, member, isMe, onChanged }: MemberProps) {
  const { userId, username, role, state, mutedUntil, picture } = member;
  const [asked, setAsked] = useState<'ban' | 'transfer' | null>(null);
  const name = nameOf(member);
  const isOwner = room.myRole === 'OWNER';
  const mayAct = !isMe && role !== 'OWNER' && (isOwner || (room.myRole === 'MODERATOR' && role === 'MEMBER'));
  const isMuted = mutedUntil !== null && mutedUntil !== undefined && Date.parse(mutedUntil) > serviceNow();
  const act = (run: () => Promise<unknown>): void =>
    void run()
      .then(onChanged)
      .catch((error: unknown) => notifyFailure(texts.notChanged, error));
  const patch = (input: RoomMemberPatch) => () => request(UpdateRoomMemberDocument, { roomId: room.id, userId, input });
  const remove = () => requestRemoval(RemoveRoomMemberDocument, { roomId: room.id, userId });
  const isJoined = state === 'JOINED';
  return (
    <li className={styles.row}>
      <Avatar name={name} seed={userId} picture={picture} size={32} />
      <div className={styles.rowText}>
        <span dir="auto">
          {name}
          {isMe && ` (${texts.you})`}
        </span>
        <small>
          {[username && `@${username}`, isJoined ? roleTexts[role] : roleTexts[state], isMuted && texts.muted]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
      {isMe && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={member.showsPresence}
            onChange={({ target }) => act(patch({ showsPresence: target.checked }))}
          />
          {texts.showPresence}
        </label>
      )}
      {mayAct && (
        <Menu
          trigger={
            <IconButton label={texts.actionsOf(name)}>
              <Ellipsis size={18} />
            </IconButton>
          }
        >
          {isOwner && isJoined && (
            <MenuItem onClick={() => act(patch({ role: role === 'MEMBER' ? 'MODERATOR' : 'MEMBER' }))}>
              {role === 'MEMBER' ? texts.makeModerator : texts.makeMember}
            </MenuItem>
          )}
          {isOwner && isJoined && <MenuItem onClick={() => setAsked('transfer')}>{texts.handOver}</MenuItem>}
          {isJoined && (
            <MenuItem
              onClick={() => act(patch({ mutedUntil: isMuted ? null : new Date(serviceNow() + muteMs).toISOString() }))}
            >
              {isMuted ? texts.unmute : texts.muteHour}
            </MenuItem>
          )}
          {state === 'BANNED' && <MenuItem onClick={() => act(patch({ state: 'LEFT' }))}>{texts.liftBan}</MenuItem>}
          {isJoined && <MenuSeparator />}
          {state !== 'BANNED' && (
            <MenuItem isDangerous onClick={() => act(remove)}>
              {texts.removePerson}
            </MenuItem>
          )}
          {state !== 'BANNED' && (
            <MenuItem isDangerous onClick={() => setAsked('ban')}>
              {texts.ban}
            </MenuItem>
          )}
        </Menu>
      )}
      <ConfirmDialog
        isOpen={asked !== null}
        title={asked === 'transfer' ? texts.askHandOver(name) : texts.askBan(name)}
        description={asked === 'transfer' ? texts.handOverEffect : texts.banEffect}
        action={asked === 'transfer' ? texts.handOver : texts.ban}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await (asked === 'transfer'
            ? request(TransferRoomDocument, { id: room.id, userId })
            : patch({ state: 'BANNED' })());
          await onChanged();
        }}
      />
    </li>
  );
}

function InviteForm({ roomId, onChanged }: Pick<RoomMembersProps, 'onChanged'> & { roomId: string }) {
  const [username, setUsername] = useState('');
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    await request(InviteToRoomDocument, { roomId, input: { username: username.trim().replace(/^@/, '') } });
    setUsername('');
    notify(texts.invited);
    await onChanged();
  });
  return (
    <Form className={styles.form} errors={fieldErrors} noValidate onSubmit={onSubmit}>
      <FormField
        name="username"
        label={texts.inviteByName}
        dir="ltr"
        autoComplete="off"
        hint={texts.inviteHint}
        value={username}
        onValueChange={setUsername}
      />
      {failure && <ErrorNote error={failure} />}
      <Button type="submit" className={styles.start} isBusy={isBusy}>
        {texts.invite}
      </Button>
    </Form>
  );
}
