import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeclineRoomDocument, JoinRoomDocument, type RoomsQuery } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { notify, notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';
import styles from './rooms.module.css';

type Invited = Pick<RoomsQuery['rooms']['data'][number], 'id' | 'name' | 'description' | 'people' | 'agents'>;

interface InvitationsProps {
  rooms: readonly Invited[];
  onAnswered: (hasJoined: boolean) => void;
}

/** Pending invitations of this person. */
export function Invitations({ rooms, onAnswered }: InvitationsProps) {
  if (rooms.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="invitations">
      <h2 id="invitations">{texts.invitations}</h2>
      <ul className={styles.cards}>
        {rooms.map((room) => (
          <Invitation key={room.id} room={room} onAnswered={onAnswered} />
        ))}
      </ul>
    </section>
  );
}

function Invitation({ room, onAnswered }: { room: Invited; onAnswered: (hasJoined: boolean) => void }) {
  const { id, name, description, people, agents } = room;
  const navigate = useNavigate();
  const onError = (error: unknown): void => notifyFailure(texts.notAnswered, error);
  const accept = useMutation({
    mutationFn: () => request(JoinRoomDocument, { id }),
    onSuccess: async () => {
      onAnswered(true);
      await navigate({ to: '/rooms/$roomId', params: { roomId: id } });
    },
    onError,
  });
  const decline = useMutation({
    mutationFn: () => request(DeclineRoomDocument, { id }),
    onSuccess: () => {
      onAnswered(false);
      notify(texts.declined);
    },
    onError,
  });
  return (
    <li className={styles.card}>
      <div className={styles.cardText}>
        <strong dir="auto">{name}</strong>
        {description && <span dir="auto">{description}</span>}
        <small>{texts.peopleAndAgents(people, agents.length)}</small>
      </div>
      <div className={styles.buttons}>
        <Button isBusy={decline.isPending} aria-label={`${texts.decline}: ${name}`} onClick={() => decline.mutate()}>
          {texts.decline}
        </Button>
        <Button
          variant="primary"
          isBusy={accept.isPending}
          aria-label={`${texts.accept}: ${name}`}
          onClick={() => accept.mutate()}
        >
          {texts.accept}
        </Button>
      </div>
    </li>
  );
}
