import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { asApiError } from '../api/api-error.ts';
import { CreateApiKeyDocument, type Scope } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Form } from '../parts/form.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { areas, presets, scopes as allScopes } from './scopes.ts';
import { texts } from './texts.ts';
import styles from './api-keys.module.css';

interface NewKeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onCreated: (key: string) => void;
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
  const [openedAt] = useState(Date.now);
  const create = useMutation({
    mutationFn: () =>
      request(CreateApiKeyDocument, {
        input: {
          name,
          scopes: [...scopes],
          expiresAt: days === '' ? null : new Date(openedAt + Number(days) * dayMs).toISOString(),
        },
      }),
    onSuccess: ({ createApiKey }) => {
      onClose();
      onCreated(createApiKey.key);
    },
  });
  const details = create.error ? asApiError(create.error).details : [];
  const errors = Object.fromEntries(
    details.map(({ field, message }) => [field.split('.').at(-1)?.replace(/\[.*$/, '') ?? '', message]),
  );
  const set = (scope: Scope, isOn: boolean): void =>
    setScopes(allScopes.filter((one) => (one === scope ? isOn : scopes.includes(one))));
  return (
    <Form
      className={styles.form}
      errors={errors}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!create.isPending) create.mutate();
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
      <fieldset className={styles.fieldset} aria-describedby={errors['scopes'] ? 'scopes-error' : undefined}>
        <legend>{texts.scopes}</legend>
        <div className={styles.presets}>
          {presets.map(([label, preset]) => (
            <Button key={label} size="small" onClick={() => setScopes(preset)}>
              {label}
            </Button>
          ))}
        </div>
        <ul>
          {areas.map(([area, own]) => (
            <li key={area}>
              <span>{area}</span>
              {own.map(({ scope, verb }) => (
                <label key={scope}>
                  <input
                    type="checkbox"
                    aria-label={`${area}: ${verb}`}
                    checked={scopes.includes(scope)}
                    onChange={({ target }) => set(scope, target.checked)}
                  />
                  {verb}
                </label>
              ))}
            </li>
          ))}
        </ul>
        {errors['scopes'] && (
          <p id="scopes-error" className={styles.error}>
            {errors['scopes']}
          </p>
        )}
      </fieldset>
      <SelectField name="expiresAt" label={texts.expiry} value={days} options={expiries} onChange={setDays} />
      {create.error && details.length === 0 && <ErrorNote error={create.error} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={create.isPending}>
          {texts.create}
        </Button>
      </DialogActions>
    </Form>
  );
}
