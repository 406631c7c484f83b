import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { ActivateMessageDocument, type ThreadMessageFragment } from '../../api/generated/operations.ts';
import { request } from '../../api/request.ts';
import { keepElement } from '../../chat/replies/live-replies.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { notifyFailure } from '../../parts/layers/toast-store.ts';
import { texts } from '../texts.ts';
import { showAround } from './thread-query.ts';
import styles from '../../chat/thread/message.module.css';

interface BranchSwitchProps {
  conversationId: string;
  message: ThreadMessageFragment;
  isDisabled: boolean;
}

/** Switches between the alternatives of a message: `‹ 2 / 3 ›`. */
export function BranchSwitch({ conversationId, message, isDisabled }: BranchSwitchProps) {
  const cache = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (versionId: string) => {
      await request(ActivateMessageDocument, { conversationId, messageId: versionId });
      keepElement(message.id, versionId);
      await showAround(cache, conversationId, versionId);
    },
    onError: (error) => notifyFailure(texts.otherVersionNotShown, error),
  });
  const { branchIds, id } = message;
  if (branchIds.length < 2) return null;
  const index = branchIds.indexOf(id);
  const step = (by: number): void => {
    const target = branchIds[index + by];
    if (target && !isPending) mutate(target);
  };
  return (
    <span className={styles.branches} role="group" aria-label={texts.versions}>
      <IconButton
        size="small"
        label={texts.previousVersion}
        aria-keyshortcuts="["
        disabled={isDisabled || index === 0}
        onClick={() => step(-1)}
      >
        <ChevronLeft size={16} />
      </IconButton>
      <span dir="ltr">
        {index + 1} / {branchIds.length}
      </span>
      <IconButton
        size="small"
        label={texts.nextVersion}
        aria-keyshortcuts="]"
        disabled={isDisabled || index === branchIds.length - 1}
        onClick={() => step(1)}
      >
        <ChevronRight size={16} />
      </IconButton>
    </span>
  );
}
