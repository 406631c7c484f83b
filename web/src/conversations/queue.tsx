import { useQueryClient } from '@tanstack/react-query';
import { useUnsent } from '../chat/drafts.ts';
import { Button } from '../parts/button.tsx';
import { common } from '../parts/common-texts.ts';
import { takeBack } from './replies.ts';
import { texts } from './texts.ts';
import styles from '../chat/thread.module.css';

interface QueueProps {
  conversationId: string;
  /** The message that is being sent. */
  sentKey: string | null;
  /** The message before them failed. */
  isBlocked: boolean;
  /** Called with the text of a message to edit, for the composer. */
  onEdit: (content: string) => void;
}

/** Messages that wait until the current reply is complete. They are sent in order. */
export function Queue({ conversationId, sentKey, isBlocked, onEdit }: QueueProps) {
  const cache = useQueryClient();
  const waiting = useUnsent(conversationId).filter(({ key }) => key !== sentKey);
  if (waiting.length === 0) return null;
  return (
    <ul className={styles.queue} aria-label={texts.messagesWait}>
      {waiting.map(({ key, content }) => (
        <li key={key} className={styles.queued}>
          <p dir="auto">{content}</p>
          <p className={styles.note}>
            {isBlocked ? texts.waitsForAbove : texts.waitingSent}
            <Button size="small" variant="quiet" onClick={() => onEdit(takeBack(cache, conversationId, key))}>
              {common.edit}
            </Button>
            <Button size="small" variant="quiet" onClick={() => takeBack(cache, conversationId, key)}>
              {common.remove}
            </Button>
          </p>
        </li>
      ))}
    </ul>
  );
}
