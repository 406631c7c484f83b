import { useState } from 'react';
import { ReviewAgentDocument, type ReviewPartsFragment } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

interface ReviewDialogProps {
  isOpen: boolean;
  agentId: string;
  /** The person's existing review; null to write a new one. */
  review: ReviewPartsFragment | null;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

export const ReviewDialog = ({ isOpen, ...props }: ReviewDialogProps) => (
  <Dialog
    isOpen={isOpen}
    title={props.review ? texts.editReview : texts.writeReview}
    shape="wide"
    onClose={props.onClose}
  >
    <ReviewForm {...props} />
  </Dialog>
);

const highest = 5;

function ReviewForm({ agentId, review, onSaved, onClose }: Omit<ReviewDialogProps, 'isOpen'>) {
  const [text, setText] = useState(review?.text ?? '');
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async (values) => {
    const input = { rating: Number(values['rating']), text: text || null };
    await request(ReviewAgentDocument, { agentId, input });
    await onSaved();
    onClose();
  });
  return (
    <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
      <fieldset className={styles.starRow}>
        <legend>{texts.rating}</legend>
        {Array.from({ length: highest }, (_star, index) => (
          <label key={index} className={styles.check}>
            <input
              type="radio"
              name="rating"
              value={index + 1}
              defaultChecked={index + 1 === (review?.rating ?? highest)}
            />
            {texts.stars(index + 1)}
          </label>
        ))}
      </fieldset>
      <FormField
        name="text"
        label={texts.reviewText}
        hint={texts.reviewHint}
        render={<textarea rows={5} />}
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
