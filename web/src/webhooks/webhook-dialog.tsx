import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { asApiError } from '../api/api-error.ts';
import type { WebhookEventType, WebhookFieldsFragment } from '../api/generated/operations.ts';
import { Button } from '../parts/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Form } from '../parts/form.tsx';
import { FormField } from '../parts/form-field.tsx';
import { EventChoice } from './event-choice.tsx';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

export interface WebhookValues {
  url: string;
  description: string;
  events: WebhookEventType[];
  secret?: string;
}

interface WebhookDialogProps {
  isOpen: boolean;
  /** The webhook to change; absent for a new one. */
  webhook?: WebhookFieldsFragment;
  onSave: (values: WebhookValues) => Promise<unknown>;
  onClose: () => void;
}

export const WebhookDialog = ({ isOpen, webhook, onSave, onClose }: WebhookDialogProps) => (
  <Dialog isOpen={isOpen} title={webhook ? texts.editWebhook : texts.newWebhook} shape="wide" onClose={onClose}>
    <WebhookForm webhook={webhook} onSave={onSave} onClose={onClose} />
  </Dialog>
);

interface WebhookFormProps extends Pick<WebhookDialogProps, 'onSave' | 'onClose'> {
  webhook: WebhookFieldsFragment | undefined;
}

function WebhookForm({ webhook, onSave, onClose }: WebhookFormProps) {
  const [values, setValues] = useState<WebhookValues>({
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    events: webhook?.events ?? [],
  });
  const { mutate, isPending, error } = useMutation({ mutationFn: () => onSave(values), onSuccess: onClose });
  const details = error ? asApiError(error).details : [];
  const errors = Object.fromEntries(
    details.map(({ field, message }) => [field.split('.').at(-1)?.replace(/\[.*$/, '') ?? '', message]),
  );
  const set = (part: Partial<WebhookValues>): void => setValues({ ...values, ...part });
  return (
    <Form
      className={styles.form}
      errors={errors}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate();
      }}
    >
      <FormField
        name="url"
        label={texts.url}
        type="url"
        dir="ltr"
        placeholder={texts.httpsExampleComHooks}
        hint={texts.itHasToBe}
        autoFocus
        value={values.url}
        onValueChange={(url) => set({ url })}
      />
      <FormField
        name="description"
        label={texts.descriptionOptional}
        maxLength={200}
        value={values.description}
        onValueChange={(description) => set({ description })}
      />
      <EventChoice chosen={values.events} error={errors['events']} onChange={(events) => set({ events })} />
      {!webhook && (
        <details className={styles.more} open={'secret' in errors || undefined}>
          <summary>{texts.ownSecret}</summary>
          <FormField
            name="secret"
            label={texts.secret}
            dir="ltr"
            autoComplete="off"
            hint={texts.n8256VisibleAscii}
            value={values.secret ?? ''}
            onValueChange={(secret) => set({ secret })}
          />
        </details>
      )}
      {error && details.length === 0 && <ErrorNote error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {webhook ? common.save : texts.create}
        </Button>
      </DialogActions>
    </Form>
  );
}
