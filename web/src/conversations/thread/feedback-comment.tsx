import { Popover } from '@base-ui/react/popover';
import { useState } from 'react';
import { useDraft } from '../../chat/drafts/use-draft.ts';
import { Button } from '../../parts/controls/button.tsx';
import { common } from '../../parts/common-texts.ts';
import { ErrorNote } from '../../parts/lists/error-note.tsx';
import { useSubmit } from '../../parts/controls/use-submit.ts';
import { texts } from '../texts.ts';
import menuStyles from '../../parts/layers/menu.module.css';
import styles from '../../chat/thread/message.module.css';

interface FeedbackCommentProps {
  messageId: string;
  comment: string;
  isShared: boolean;
  onSave: (comment: string, share: boolean) => Promise<void>;
}

/** The reason of a rating, in a layer beside it. */
export default function FeedbackComment({ messageId, comment, isShared, onSave }: FeedbackCommentProps) {
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useDraft(`feedback:${messageId}`);
  const [isTouched, setTouched] = useState(false);
  const { onSubmit, isBusy, failure } = useSubmit(async ({ comment: reason = '', share }) => {
    await onSave(reason, share !== undefined);
    setOpen(false);
    setDraft('');
    setTouched(false);
  });
  const ownReason = comment ? texts.changeReason : texts.addReason;
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger render={<Button size="small" variant="quiet" className={styles.reason} />}>
        {isShared ? texts.sharedCreator : ownReason}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={menuStyles.positioner} sideOffset={6} align="start">
          <Popover.Popup className={menuStyles.popup} aria-label={texts.reason}>
            <form className={styles.comment} onSubmit={onSubmit}>
              <textarea
                name="comment"
                aria-label={texts.reason}
                value={isTouched ? draft : draft || comment}
                onChange={({ target }) => {
                  setTouched(true);
                  setDraft(target.value);
                }}
                maxLength={2000}
                rows={3}
                dir="auto"
              />
              <label>
                <input type="checkbox" name="share" defaultChecked={isShared} />
                <span>
                  {texts.shareWithCreator}
                  <small>{texts.messageReplyReasonWithout}</small>
                </span>
              </label>
              {failure && <ErrorNote error={failure} />}
              <Button size="small" variant="primary" type="submit" isBusy={isBusy}>
                {common.save}
              </Button>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
