import { useQueryClient } from '@tanstack/react-query';
import type { ConversationQuery, ThreadMessageFragment } from '../../api/generated/operations.ts';
import { Button } from '../../parts/controls/button.tsx';
import { common } from '../../parts/common-texts.ts';
import { answerAgain } from './replies.ts';
import { texts } from '../texts.ts';
import styles from '../../chat/thread/thread.module.css';

interface UnansweredNoteProps {
  conversation: ConversationQuery['conversation'];
  last: ThreadMessageFragment | undefined;
}

/** Shown under a last message without a reply: why it has none, and how to get one. */
export function UnansweredNote({ conversation, last }: UnansweredNoteProps) {
  const cache = useQueryClient();
  if (last?.role !== 'USER') return null;
  const { generation } = conversation;
  const reason = generation?.userMessageId === last.id ? generation.error?.message : undefined;
  return (
    <p className={styles.note} role="alert">
      {reason ?? texts.messageNoReply}
      <Button size="small" onClick={() => answerAgain(cache, conversation.id, last.content)}>
        {common.tryAgain}
      </Button>
    </p>
  );
}
