import { useMutation, useQuery } from '@tanstack/react-query';
import { AcceptRoomTransferDocument, CancelRoomTransferDocument, type RoomQuery } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { notify, notifyFailure } from '../parts/layers/toast-store.ts';
import { nameOf } from './names.ts';
import { membersQuery } from './room-queries.ts';
import { texts } from './texts.ts';
import styles from './rooms.module.css';

interface RoomOfferProps {
  room: RoomQuery['room'];
  myId: string;
  onAnswered: () => Promise<void>;
}

/** The open offer of the ownership of a room, for the person who receives it and for the owner, who can withdraw it. */
export function RoomOffer({ room, myId, onAnswered }: RoomOfferProps) {
  const { id, offeredTo, myRole } = room;
  const isForMe = offeredTo === myId;
  const isShown = typeof offeredTo === 'string' && (isForMe || myRole === 'OWNER');
  const { data } = useQuery({ ...membersQuery(id), enabled: isShown });
  const onError = (error: unknown): void => notifyFailure(texts.notChanged, error);
  const accept = useMutation({
    mutationFn: () => request(AcceptRoomTransferDocument, { id }),
    onSuccess: async () => {
      notify(texts.handedOver);
      await onAnswered();
    },
    onError,
  });
  const cancel = useMutation({
    mutationFn: () => request(CancelRoomTransferDocument, { id }),
    onSuccess: onAnswered,
    onError,
  });
  if (!isShown) return null;
  const heir = data?.roomMembers.data.find(({ userId }) => userId === offeredTo);
  return (
    <section className={styles.card} aria-label={texts.roomOffer}>
      <div className={styles.cardText}>
        <strong dir="auto">{isForMe ? texts.offeredToYou : texts.offeredTo(heir ? nameOf(heir) : '')}</strong>
        {isForMe && <span>{texts.offeredToYouEffect}</span>}
      </div>
      <div className={styles.buttons}>
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          {isForMe ? texts.decline : texts.withdraw}
        </Button>
        {isForMe && (
          <Button variant="primary" isBusy={accept.isPending} onClick={() => accept.mutate()}>
            {texts.accept}
          </Button>
        )}
      </div>
    </section>
  );
}
