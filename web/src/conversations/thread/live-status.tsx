import { useQueryClient } from '@tanstack/react-query';
import type { LiveReplyState } from '../../chat/replies/live-reply.ts';
import { Button } from '../../parts/controls/button.tsx';
import { ErrorNote } from '../../parts/lists/error-note.tsx';
import { retry, takeBack } from './replies.ts';
import { texts } from '../texts.ts';
import styles from '../../chat/thread/thread.module.css';

interface LiveStatusProps {
  conversationId: string;
  live: LiveReplyState;
  onTakeBack: (content: string) => void;
}

/** Why a reply is delayed: another reply or the network, which end by themselves, or a failure, with actions for it. */
export function LiveStatus({ conversationId, live, onTakeBack }: LiveStatusProps) {
  const cache = useQueryClient();
  const isUnsent = live.unsentKey !== null && live.generationId === null;
  const takesBack = isUnsent && (
    <Button size="small" variant="quiet" onClick={() => onTakeBack(takeBack(cache, conversationId))}>
      {texts.takeMessageBack}
    </Button>
  );
  if (live.error) {
    // An edit of a message that is now on another branch.
    const isFinal = isUnsent && live.error.code === 'CONFLICT';
    return (
      <ErrorNote error={live.error} onRetry={isFinal ? undefined : () => retry(conversationId)}>
        {takesBack}
      </ErrorNote>
    );
  }
  if (live.status !== 'waiting' && live.status !== 'queued') return null;
  const whyWaiting = live.text === '' ? texts.waitingNetwork : texts.connectionLostReplyResumes;
  return (
    <p className={styles.note} role="status">
      {live.status === 'queued' ? texts.waitingOtherReply : whyWaiting}
      {takesBack}
    </p>
  );
}
