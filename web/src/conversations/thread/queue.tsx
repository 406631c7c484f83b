import { useQueryClient } from '@tanstack/react-query';
import { drafts, type Unsent, useUnsent } from '../../chat/drafts/drafts.ts';
import { Button } from '../../parts/controls/button.tsx';
import { common } from '../../parts/common-texts.ts';
import { editDraft } from './edit-message-form.tsx';
import { takeBack } from './replies.ts';
import { texts } from '../texts.ts';
import { hasMessage } from './thread-query.ts';
import styles from '../../chat/thread/thread.module.css';

interface QueueProps {
  conversationId: string;
  /** The message that is being sent. */
  sentKey: string | null;
  /** The message before them failed. */
  isBlocked: boolean;
  /** Called with the text of a message to edit, for the composer. */
  onEdit: (content: string) => void;
  /** Called with the id of the message whose edit is to be changed. */
  onReopen: (messageId: string) => void;
}

/** Messages that wait until the current reply is complete. They are sent in order. */
export function Queue({ conversationId, sentKey, isBlocked, onEdit, onReopen }: QueueProps) {
  const cache = useQueryClient();
  const waiting = useUnsent(conversationId).filter(({ key }) => key !== sentKey);
  const edit = ({ key, content, replaces }: Unsent): void => {
    takeBack(cache, conversationId, key);
    if (!replaces || !hasMessage(cache, conversationId, replaces.id)) return onEdit(content);
    drafts.change(editDraft(replaces.id), content);
    onReopen(replaces.id);
  };
  if (waiting.length === 0) return null;
  return (
    <ul className={styles.queue} aria-label={texts.messagesWait}>
      {waiting.map((message) => (
        <li key={message.key} className={styles.queued}>
          <p dir="auto">{message.content}</p>
          <p className={styles.note}>
            {message.replaces && <span>{texts.editedMessage}</span>}
            {isBlocked ? texts.waitsForAbove : texts.waitingSent}
            <Button size="small" variant="quiet" onClick={() => edit(message)}>
              {common.edit}
            </Button>
            <Button size="small" variant="quiet" onClick={() => takeBack(cache, conversationId, message.key)}>
              {common.remove}
            </Button>
          </p>
        </li>
      ))}
    </ul>
  );
}
