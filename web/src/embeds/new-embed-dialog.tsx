import { useState } from 'react';
import type { CreateEmbedInput } from '../api/generated/operations.ts';
import { Button } from '../parts/controls/button.tsx';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { linesOf } from './embed-values.ts';
import { useSave } from '../parts/controls/use-save.ts';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';
import styles from './embeds.module.css';

interface NewEmbedDialogProps {
  isOpen: boolean;
  agents: readonly { id: string; name: string }[];
  onSave: (input: CreateEmbedInput) => Promise<unknown>;
  onClose: () => void;
}

export const NewEmbedDialog = ({ isOpen, onClose, ...form }: NewEmbedDialogProps) => (
  <Dialog isOpen={isOpen} title={texts.newEmbed} shape="wide" onClose={onClose}>
    <NewEmbedForm onClose={onClose} {...form} />
  </Dialog>
);

function NewEmbedForm({ agents, onSave, onClose }: Omit<NewEmbedDialogProps, 'isOpen'>) {
  const [values, setValues] = useState({ agentId: agents[0]?.id ?? '', name: '', origins: '', test: false });
  const set = (part: Partial<typeof values>): void => setValues({ ...values, ...part });
  const { agentId, name, origins, test } = values;
  const { save, isPending, error, errors } = useSave(
    () => onSave({ agentId, name, allowedOrigins: linesOf(origins), test }),
    onClose,
  );
  return (
    <Form
      className={styles.form}
      errors={errors}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <SelectField
        name="agentId"
        label={common.agent}
        value={agentId}
        options={agents.map(({ id, name: label }) => [id, label] as const)}
        onChange={(chosen) => set({ agentId: chosen })}
      />
      <FormField
        name="name"
        label={common.name}
        maxLength={80}
        value={name}
        onValueChange={(given) => set({ name: given })}
      />
      <FormField
        name="allowedOrigins"
        label={texts.websites}
        dir="ltr"
        placeholder={texts.websiteExample}
        hint={texts.websitesNew}
        render={(<textarea rows={3} />) as never}
        value={origins}
        onValueChange={(given) => set({ origins: given })}
      />
      <label className={styles.check}>
        <input type="checkbox" checked={test} onChange={(event) => set({ test: event.target.checked })} />
        {texts.allowLocalhost}
      </label>
      {error && <ErrorNote error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {texts.create}
        </Button>
      </DialogActions>
    </Form>
  );
}
