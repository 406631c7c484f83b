import { Popover } from '@base-ui/react/popover';
import { Button } from '../parts/button.tsx';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';
import menuStyles from '../parts/menu.module.css';
import styles from '../chat/message.module.css';

interface FeedbackCommentProps {
  comment: string;
  isShared: boolean;
  onSave: (comment: string, share: boolean) => void;
}

/** The reason of a rating, in a layer beside it. */
export default function FeedbackComment({ comment, isShared, onSave }: FeedbackCommentProps) {
  const ownReason = comment ? texts.changeReason : texts.addReason;
  return (
    <Popover.Root>
      <Popover.Trigger render={<Button size="small" variant="quiet" className={styles.reason} />}>
        {isShared ? texts.sharedCreator : ownReason}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={menuStyles.positioner} sideOffset={6} align="start">
          <Popover.Popup className={menuStyles.popup} aria-label={texts.reason}>
            <form
              className={styles.comment}
              onSubmit={(event) => {
                event.preventDefault();
                const { comment: reason = '', share } = Object.fromEntries(new FormData(event.currentTarget)) as Record<
                  string,
                  string | undefined
                >;
                onSave(reason, share !== undefined);
              }}
            >
              <textarea
                name="comment"
                aria-label={texts.reason}
                defaultValue={comment}
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
              <Popover.Close render={<Button size="small" variant="primary" type="submit" />}>
                {common.save}
              </Popover.Close>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
