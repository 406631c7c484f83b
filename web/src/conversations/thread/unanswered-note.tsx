import { useQueryClient } from '@tanstack/react-query';
import type { ConversationQuery, ThreadMessageFragment } from '../../api/generated/operations.ts';
import { Button } from '../../parts/controls/button.tsx';
import { common } from '../../parts/common-texts.ts';
import { answerAgain } from './replies.ts';
import { texts } from '../texts.ts';
import styles from '../../chat/thread/thread.module.css';

interface UnansweredNoteProps {
  conversation: ConversationQuery['conversation'];
  /** Oldest first. */
  messages: readonly ThreadMessageFragment[];
}

/** Shown under a last message without a reply, or with a broken one: why it has none, and how to get one. */
export function UnansweredNote({ conversation, messages }: UnansweredNoteProps) {
  const cache = useQueryClient();
  const broken = messages.at(-1)?.broken ? messages.at(-1) : undefined;
  const asked = messages.at(broken ? -2 : -1);
  if (asked?.role !== 'USER') return null;
  const { generation } = conversation;
  const reason =
    generation?.userMessageId === asked.id ? generation.error?.message : broken?.generation?.error?.message;
  return (
    <p className={styles.note} role="alert">
      {reason ?? texts.messageNoReply}
      <Button size="small" onClick={() => answerAgain(cache, conversation.id, asked.content, broken)}>
        {common.tryAgain}
      </Button>
    </p>
  );
}
