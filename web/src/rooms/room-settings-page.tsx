import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { MeDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { LeaveRoom } from './leave-room.tsx';
import { RoomAgents } from './room-agents.tsx';
import { RoomLinks } from './room-links.tsx';
import { RoomMembers } from './room-members.tsx';
import { RoomOffer } from './room-offer.tsx';
import { readRoomAgain, roomQuery } from './room-queries.ts';
import { SettingsForm } from './settings-form.tsx';
import { texts } from './texts.ts';

/** Members, settings and leaving of a room. Settings that the person's role may not change have no controls. */
export function RoomSettingsPage() {
  const { roomId } = useParams({ from: '/frame/rooms/$roomId/settings' });
  const cache = useQueryClient();
  const { room } = useSuspenseQuery(roomQuery(roomId)).data;
  const { data: account } = useQuery(query(MeDocument, {}));
  const refresh = (): Promise<void> => readRoomAgain(cache, roomId);
  const moderates = room.myRole !== 'MEMBER';
  const back = (
    <Link to="/rooms/$roomId" params={{ roomId }}>
      {texts.backToRoom}
    </Link>
  );
  return (
    <Page title={texts.settingsOf(room.name)} lead={back}>
      <RoomOffer room={room} myId={account?.me.id ?? ''} onAnswered={refresh} />
      <RoomMembers room={room} myId={account?.me.id ?? ''} onChanged={refresh} />
      {moderates && <RoomLinks room={room} />}
      <RoomAgents room={room} onChanged={refresh} />
      {moderates && <SettingsForm key={room.myRole} room={room} onSaved={() => void refresh()} />}
      <LeaveRoom room={room} />
      <ApiNote tag="rooms" path={`/v1/rooms/${roomId}`} />
    </Page>
  );
}
