import { useQueryClient } from '@tanstack/react-query';
import { Copy, RefreshCw } from 'lucide-react';
import type { ThreadMessageFragment } from '../../api/generated/operations.ts';
import { copyText } from '../../parts/values/copy-text.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import { FeedbackButtons } from './feedback-buttons.tsx';
import { ReadAloud } from './read-aloud.tsx';
import { ReplyMenu } from './reply-menu.tsx';
import { regenerate } from './replies.ts';
import { texts } from '../texts.ts';
import styles from '../../chat/thread/message.module.css';

interface ReplyActionsProps {
  conversationId: string;
  message: ThreadMessageFragment;
  canChange: boolean;
}

export function ReplyActions({ conversationId, message, canChange }: ReplyActionsProps) {
  const cache = useQueryClient();
  return (
    <div className={styles.actions} role="group" aria-label={texts.actionsReply}>
      <BranchSwitch conversationId={conversationId} message={message} isDisabled={!canChange} />
      <IconButton size="small" label={texts.copy} aria-keyshortcuts="c" onClick={() => void copyText(message.content)}>
        <Copy size={16} />
      </IconButton>
      <ReadAloud conversationId={conversationId} messageId={message.id} />
      {message.generation && (
        <>
          <IconButton
            size="small"
            label={texts.regenerate}
            aria-keyshortcuts="r"
            disabled={!canChange}
            onClick={() => regenerate(cache, conversationId, message)}
          >
            <RefreshCw size={16} />
          </IconButton>
          <FeedbackButtons conversationId={conversationId} message={message} />
        </>
      )}
      <ReplyMenu conversationId={conversationId} message={message} />
    </div>
  );
}
