import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { AgentVersionsDocument, CreateAgentVersionDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSave } from '../parts/controls/use-save.ts';
import { texts } from './texts.ts';
import styles from './studio.module.css';

/** Creates a draft version, prefilled with the live instructions. */
export function NewDraft({ agentId, instructions }: { agentId: string; instructions: string }) {
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(instructions);
  const [note, setNote] = useState('');
  const { save, isPending, error, errors } = useSave(
    () => request(CreateAgentVersionDocument, { agentId, input: { instructions: text, note: note || null } }),
    () => {
      void cache.invalidateQueries({ queryKey: keyOf(AgentVersionsDocument) });
      setOpen(false);
      setNote('');
      notify(texts.draftSaved);
    },
  );
  return (
    <>
      <Button
        variant="primary"
        onClick={() => {
          setText(instructions);
          setOpen(true);
        }}
      >
        <Plus size={16} />
        {texts.newDraft}
      </Button>
      <Dialog isOpen={isOpen} title={texts.newDraft} shape="wide" onClose={() => setOpen(false)}>
        <Form
          className={styles.form}
          errors={errors}
          onSubmit={(event) => {
            event.preventDefault();
            save(event.currentTarget);
          }}
        >
          <p className={styles.hint}>{texts.onlyGetDraftWhen}</p>
          <FormField
            name="instructions"
            label={texts.instructions}
            value={text}
            render={<textarea rows={12} />}
            onValueChange={setText}
          />
          <FormField name="note" label={texts.note} maxLength={300} value={note} onValueChange={setNote} />
          {error && <ErrorNote error={error} />}
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{common.cancel}</Button>
            <Button type="submit" variant="primary" isBusy={isPending}>
              {texts.saveDraft}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
