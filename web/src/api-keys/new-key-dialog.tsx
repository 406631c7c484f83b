import { useState } from 'react';
import { CreateApiKeyDocument, type Scope } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { serviceNow } from '../api/service-time.ts';
import { useSave } from '../parts/controls/use-save.ts';
import { ScopeChoice } from './scope-choice.tsx';
import type { CreatedKey } from './key-secret.tsx';
import { texts } from './texts.ts';
import styles from './api-keys.module.css';

interface NewKeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onCreated: (created: CreatedKey) => void;
}

export const NewKeyDialog = ({ isOpen, onClose, onCreated }: NewKeyDialogProps) => (
  <Dialog isOpen={isOpen} title={texts.newApiKey} shape="wide" onClose={onClose}>
    <NewKeyForm onClose={onClose} onCreated={onCreated} />
  </Dialog>
);

const dayMs = 86_400_000;
const expiries = [
  ['30', texts.days(30)],
  ['90', texts.days(90)],
  ['365', texts.days(365)],
  ['', common.none],
] as const;

function NewKeyForm({ onClose, onCreated }: Omit<NewKeyDialogProps, 'isOpen'>) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [days, setDays] = useState('90');
  // Unchanged on a retry, so that the expiry and with it the idempotent request stay the same.
  const [openedAt] = useState(serviceNow);
  const { save, isPending, error, errors } = useSave(async () => {
    const expiresAt = days === '' ? null : new Date(openedAt + Number(days) * dayMs).toISOString();
    const { createApiKey } = await request(CreateApiKeyDocument, { input: { name, scopes: [...scopes], expiresAt } });
    onClose();
    onCreated(createApiKey);
  });
  return (
    <Form
      className={styles.form}
      errors={errors}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save(event.currentTarget);
      }}
    >
      <FormField
        name="name"
        label={common.name}
        hint={texts.whatUsesIt}
        autoFocus
        value={name}
        onValueChange={setName}
      />
      <ScopeChoice chosen={scopes} onChange={setScopes} />
      <SelectField name="expiresAt" label={texts.expiry} value={days} options={expiries} onChange={setDays} />
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
