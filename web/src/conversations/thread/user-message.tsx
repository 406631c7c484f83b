import { useQueryClient } from '@tanstack/react-query';
import { Copy, Pencil } from 'lucide-react';
import { memo, useState } from 'react';
import type { ThreadMessageFragment } from '../../api/generated/operations.ts';
import { serviceNow } from '../../api/service-time.ts';
import { common } from '../../parts/common-texts.ts';
import { classNames } from '../../parts/class-names.ts';
import { copyText } from '../../parts/values/copy-text.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { TimeAgo } from '../../parts/values/time-ago.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import { EditMessageForm } from './edit-message-form.tsx';
import { send } from './replies.ts';
import { texts } from '../texts.ts';
import styles from '../../chat/thread/message.module.css';

interface UserMessageProps {
  itemKey: string;
  conversationId: string;
  /** Null until it is stored. */
  message: ThreadMessageFragment | null;
  text: string;
  isEditing: boolean;
  /** Another message follows it, not a reply. */
  isUnanswered: boolean;
  canChange: boolean;
  onEdit: (messageId: string | null) => void;
}

export const UserMessage = memo(function UserMessage(props: UserMessageProps) {
  const { itemKey, conversationId, message, text, isEditing, isUnanswered, canChange, onEdit } = props;
  const cache = useQueryClient();
  const [sentAt] = useState(() => new Date(serviceNow()).toISOString());
  return (
    <article
      data-row
      tabIndex={-1}
      className={styles.user}
      data-key={itemKey}
      data-message={message?.id}
      aria-label={texts.you}
    >
      {isEditing && message ? (
        <EditMessageForm
          messageId={message.id}
          content={text}
          onCancel={() => onEdit(null)}
          onSave={(content) => {
            onEdit(null);
            send(cache, conversationId, { content, replaces: { id: message.id, createdAt: message.createdAt } });
          }}
        />
      ) : (
        <div className={styles.bubble} dir="auto">
          {text}
        </div>
      )}
      {isUnanswered && <p className={styles.stopped}>{message?.generation?.error?.message ?? texts.messageNoReply}</p>}
      {!isEditing && (
        <div
          className={classNames(styles.actions, message ? undefined : styles.reserved)}
          role="group"
          aria-label={texts.actionsMessage}
        >
          <TimeAgo date={message?.createdAt ?? sentAt} className={styles.time} />
          {message && <BranchSwitch conversationId={conversationId} message={message} isDisabled={!canChange} />}
          <IconButton size="small" label={texts.copy} aria-keyshortcuts="c" onClick={() => void copyText(text)}>
            <Copy size={16} />
          </IconButton>
          <IconButton
            size="small"
            label={common.edit}
            aria-keyshortcuts="e"
            disabled={!canChange}
            onClick={() => onEdit(message?.id ?? null)}
          >
            <Pencil size={16} />
          </IconButton>
        </div>
      )}
    </article>
  );
});
