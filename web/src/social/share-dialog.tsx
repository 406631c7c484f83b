import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CreateShareDocument, type ShareInput, SharesDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { CodeBox } from '../parts/values/code-box.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { texts } from './texts.ts';
import styles from './social.module.css';

interface ShareDialogProps {
  isOpen: boolean;
  /** The agent or conversation to share. */
  target: Pick<ShareInput, 'type' | 'agentId' | 'conversationId'>;
  onClose: () => void;
}

/** Creates a public link. The link of a conversation hides its author unless the person chooses otherwise. */
export const ShareDialog = ({ isOpen, ...props }: ShareDialogProps) => (
  <Dialog
    isOpen={isOpen}
    title={props.target.type === 'CONVERSATION' ? texts.shareConversation : texts.shareAgent}
    description={props.target.type === 'CONVERSATION' ? texts.messagesShared : texts.shareAgentEffect}
    shape="wide"
    onClose={props.onClose}
  >
    <ShareForm {...props} />
  </Dialog>
);

function ShareForm({ target, onClose }: Omit<ShareDialogProps, 'isOpen'>) {
  const cache = useQueryClient();
  const [isNamed, setNamed] = useState(target.type === 'AGENT');
  const [link, setLink] = useState<string | null>(null);
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async ({ title, note, inFeed, indexable }) => {
    const choices = { anonymous: !isNamed, inFeed: isNamed && inFeed === 'on', indexable: indexable === 'on' };
    const input = { ...target, ...choices, ...(title ? { title } : {}), ...(note ? { note } : {}) };
    const { createShare } = await request(CreateShareDocument, { input });
    setLink(createShare.url ?? '');
    void cache.invalidateQueries({ queryKey: keyOf(SharesDocument) });
  });
  if (link !== null)
    return (
      <div className={styles.form}>
        <p role="status">{texts.linkOnce}</p>
        <CodeBox label={texts.link} text={link} />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </DialogActions>
      </div>
    );
  return (
    <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
      <FormField name="title" label={texts.titleOptional} hint={texts.titleShown} maxLength={200} />
      <FormField
        name="note"
        label={texts.note}
        hint={texts.noteHint}
        render={(<textarea rows={3} />) as never}
        maxLength={500}
      />
      <label className={styles.check}>
        <input type="checkbox" checked={isNamed} onChange={({ target: { checked } }) => setNamed(checked)} />
        {texts.showName}
      </label>
      {isNamed && (
        <label className={styles.check}>
          <input type="checkbox" name="inFeed" />
          {texts.inFeed}
        </label>
      )}
      <label className={styles.check}>
        <input type="checkbox" name="indexable" />
        {texts.indexable}
      </label>
      {failure && <ErrorNote error={failure} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {texts.createLink}
        </Button>
      </DialogActions>
    </Form>
  );
}
