import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { Suspense } from 'react';
import {
  type FeedbackInput,
  GiveFeedbackDocument,
  type ThreadMessageFragment,
} from '../../api/generated/operations.ts';
import { request } from '../../api/request.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { later } from '../../parts/layers/later.ts';
import { notify, notifyFailure } from '../../parts/layers/toast-store.ts';
import { texts } from '../texts.ts';
import { patchMessage } from './thread-query.ts';

const FeedbackComment = later(() => import('./feedback-comment.tsx'));

interface FeedbackButtonsProps {
  conversationId: string;
  message: ThreadMessageFragment;
}

/** Rates a reply with an optimistic update that is rolled back on failure; then accepts an optional reason. */
export function FeedbackButtons({ conversationId, message }: FeedbackButtonsProps) {
  const cache = useQueryClient();
  const { id, feedback } = message;
  const { mutate, mutateAsync } = useMutation({
    mutationFn: (input: FeedbackInput) => request(GiveFeedbackDocument, { conversationId, messageId: id, input }),
    onMutate: ({ rating, comment, share }) => {
      const before = feedback;
      const sharedAt = share ? new Date().toISOString() : null;
      patchMessage(cache, conversationId, id, { feedback: { rating, comment: comment ?? null, sharedAt } });
      return before;
    },
    onError: (error, { comment }, before) => {
      patchMessage(cache, conversationId, id, { feedback: before ?? null });
      // The layer of the reason shows its own failure.
      if (comment === undefined) notifyFailure(texts.ratingNotStored, error);
    },
  });
  const button = (rating: 'UP' | 'DOWN', label: string, icon: typeof ThumbsUp) => {
    const Icon = icon;
    const isGiven = feedback?.rating === rating;
    return (
      <IconButton
        size="small"
        label={label}
        aria-keyshortcuts={rating === 'UP' ? '+' : '-'}
        aria-pressed={isGiven}
        // Rating again would erase the reason and end its sharing.
        onClick={() => !isGiven && mutate({ rating })}
      >
        <Icon size={16} fill={isGiven ? 'currentColor' : 'none'} />
      </IconButton>
    );
  };
  return (
    <>
      {button('UP', texts.goodReply, ThumbsUp)}
      {button('DOWN', texts.badReply, ThumbsDown)}
      {feedback && (
        <Suspense fallback={null}>
          <FeedbackComment
            messageId={id}
            comment={feedback.comment ?? ''}
            isShared={Boolean(feedback.sharedAt)}
            onSave={async (comment, share) => {
              await mutateAsync({ rating: feedback.rating, comment, share });
              notify(share ? texts.thankCreatorAgentRead : texts.thankYou);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
