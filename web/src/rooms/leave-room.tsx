import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Flag } from 'lucide-react';
import { useState } from 'react';
import { DeleteRoomDocument, LeaveRoomDocument, type RoomQuery, RoomsDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { ReportDialog } from '../moderation/report-dialog.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { roomQuery } from './room-queries.ts';
import { texts } from './texts.ts';
import styles from './rooms.module.css';

/** Actions that leave or delete a room. */
export function LeaveRoom({ room: { id, name, myRole } }: { room: RoomQuery['room'] }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'leave' | 'delete' | null>(null);
  const [isReporting, setReporting] = useState(false);
  const isDeleting = asked === 'delete';
  return (
    <section className={styles.section} aria-labelledby="out">
      <h2 id="out">{texts.leaveOrDelete}</h2>
      <p className={styles.hint}>{texts.leaveHint}</p>
      <div className={styles.buttons}>
        <Button onClick={() => setAsked('leave')}>{texts.leave}</Button>
        {myRole !== 'OWNER' && (
          <Button onClick={() => setReporting(true)}>
            <Flag size={16} />
            {texts.reportRoom}
          </Button>
        )}
        {myRole === 'OWNER' && (
          <Button variant="danger" onClick={() => setAsked('delete')}>
            {texts.deleteRoom}
          </Button>
        )}
      </div>
      <ReportDialog isOpen={isReporting} subject={{ type: 'ROOM', id }} onClose={() => setReporting(false)} />
      <ConfirmDialog
        isOpen={asked !== null}
        title={isDeleting ? texts.askDeleteRoom(name) : texts.askLeave(name)}
        description={isDeleting ? texts.deleteRoomEffect : texts.leaveEffect}
        action={isDeleting ? common.delete : texts.leave}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await requestRemoval(isDeleting ? DeleteRoomDocument : LeaveRoomDocument, { id });
          await navigate({ to: '/rooms' });
          cache.removeQueries({ queryKey: roomQuery(id).queryKey });
          await cache.invalidateQueries({ queryKey: keyOf(RoomsDocument) });
        }}
      />
    </section>
  );
}
