import { Flag, Reply } from 'lucide-react';
import { useState } from 'react';
import { ReplyToReviewDocument, type ReviewPartsFragment } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { ReportDialog } from '../moderation/report-dialog.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

interface ReviewItemProps {
  review: ReviewPartsFragment;
  canReply: boolean;
  onChanged: () => Promise<void>;
}

/** A review and the reply of the agent's owner. */
export function ReviewItem({ review, canReply, onChanged }: ReviewItemProps) {
  const [isReplying, setReplying] = useState(false);
  const [isReporting, setReporting] = useState(false);
  const name = review.author ? (review.author.displayName ?? review.author.username) : texts.somebody;
  return (
    <article className={styles.review} aria-label={texts.reviewOf(name)}>
      <header>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className={styles.rating}>{texts.stars(review.rating)}</span>
        <TimeAgo date={review.updatedAt} className={styles.hint} />
        {canReply && (
          <Button size="small" variant="quiet" onClick={() => setReplying(!isReplying)} aria-expanded={isReplying}>
            <Reply size={16} />
            {texts.reply}
          </Button>
        )}
        {!review.isMine && (
          <IconButton
            size="small"
            label={`${texts.report}: ${texts.reviewOf(name)}`}
            onClick={() => setReporting(true)}
          >
            <Flag size={16} />
          </IconButton>
        )}
      </header>
      {review.text && (
        <p dir="auto" className={styles.text}>
          {review.text}
        </p>
      )}
      {review.ownerReply && !isReplying && (
        <blockquote>
          <strong>{texts.ownerReply}</strong>
          <p dir="auto" className={styles.text}>
            {review.ownerReply}
          </p>
        </blockquote>
      )}
      {isReplying && <ReplyForm review={review} onChanged={onChanged} onClose={() => setReplying(false)} />}
      <ReportDialog
        isOpen={isReporting}
        subject={{ type: 'REVIEW', id: review.id }}
        onClose={() => setReporting(false)}
      />
    </article>
  );
}

interface ReplyFormProps {
  review: ReviewPartsFragment;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

function ReplyForm({ review, onChanged, onClose }: ReplyFormProps) {
  const [text, setText] = useState(review.ownerReply ?? '');
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    await request(ReplyToReviewDocument, { id: review.id, input: { text: text || null } });
    await onChanged();
    onClose();
  });
  return (
    <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
      <FormField
        name="text"
        label={texts.ownerReply}
        hint={texts.replyPlaceholder}
        render={<textarea rows={3} />}
        maxLength={1_000}
        value={text}
        onValueChange={setText}
      />
      {failure && <ErrorNote error={failure} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {common.save}
        </Button>
      </DialogActions>
    </Form>
  );
}
