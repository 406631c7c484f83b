import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import { AppealDecisionDocument, OwnDecisionsDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { drafts } from '../chat/drafts/drafts.ts';
import { useDraft } from '../chat/drafts/use-draft.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

interface AppealDialogProps {
  /** Id of the decision to appeal; null while the dialog is closed. */
  decisionId: string | null;
  /** Receives the focus once the appeal is sent, because the button that opened the dialog is removed. */
  list: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Appeals a decision. */
export function AppealDialog({ decisionId, list, onClose }: AppealDialogProps) {
  const isSent = useRef(false);
  const close = (isAppealed: boolean): void => {
    isSent.current = isAppealed;
    onClose();
  };
  return (
    <Dialog
      isOpen={decisionId !== null}
      title={texts.appeal}
      description={texts.appealEffect}
      shape="wide"
      finalFocus={() => (isSent.current ? list.current : null)}
      onClose={() => close(false)}
    >
      {decisionId !== null && (
        <AppealForm decisionId={decisionId} onCancel={() => close(false)} onSent={() => close(true)} />
      )}
    </Dialog>
  );
}

interface AppealFormProps {
  decisionId: string;
  onCancel: () => void;
  onSent: () => void;
}

function AppealForm({ decisionId, onCancel, onSent }: AppealFormProps) {
  const cache = useQueryClient();
  const draft = `appeal:${decisionId}`;
  const [text, setText] = useDraft(draft);
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    await request(AppealDecisionDocument, { id: decisionId, input: { text } });
    drafts.remove(draft);
    await cache.invalidateQueries({ queryKey: keyOf(OwnDecisionsDocument) });
    onSent();
    notify(texts.appealSent);
  });
  return (
    <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
      <FormField
        name="text"
        label={texts.appealText}
        hint={texts.appealHint}
        render={<textarea rows={6} />}
        maxLength={4_000}
        value={text}
        onValueChange={setText}
      />
      {failure && <ErrorNote error={failure} />}
      <DialogActions>
        <Button onClick={onCancel}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {texts.sendAppeal}
        </Button>
      </DialogActions>
    </Form>
  );
}
