import { useState } from 'react';
import type { WebhookEventType, WebhookFieldsFragment } from '../api/generated/operations.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { useSave } from '../parts/controls/use-save.ts';
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

/** Keeps what was typed when it is closed without a button, until the page is left. */
export function WebhookDialog({ isOpen, webhook, onSave, onClose }: WebhookDialogProps) {
  const [typed, setTyped] = useState<Partial<WebhookValues>>({});
  const finish = (): void => {
    setTyped({});
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} title={webhook ? texts.editWebhook : texts.newWebhook} shape="wide" onClose={onClose}>
      <WebhookForm
        isNew={!webhook}
        values={{
          url: webhook?.url ?? '',
          description: webhook?.description ?? '',
          events: webhook?.events ?? [],
          ...typed,
        }}
        onChange={(part) => setTyped({ ...typed, ...part })}
        onSave={onSave}
        onFinish={finish}
      />
    </Dialog>
  );
}

interface WebhookFormProps extends Pick<WebhookDialogProps, 'onSave'> {
  isNew: boolean;
  values: WebhookValues;
  onChange: (part: Partial<WebhookValues>) => void;
  onFinish: () => void;
}

function WebhookForm({ isNew, values, onChange, onSave, onFinish }: WebhookFormProps) {
  const { save, isPending, error, errors } = useSave(() => onSave(values), onFinish);
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
        name="url"
        label={texts.url}
        type="url"
        dir="ltr"
        placeholder={texts.httpsExampleComHooks}
        hint={texts.itHasToBe}
        autoFocus
        value={values.url}
        onValueChange={(url) => onChange({ url })}
      />
      <FormField
        name="description"
        label={texts.descriptionOptional}
        maxLength={200}
        value={values.description}
        onValueChange={(description) => onChange({ description })}
      />
      <EventChoice chosen={values.events} onChange={(events) => onChange({ events })} />
      {isNew && (
        <details className={styles.more} open={'secret' in errors || undefined}>
          <summary>{texts.ownSecret}</summary>
          <FormField
            name="secret"
            label={texts.secret}
            dir="ltr"
            autoComplete="off"
            hint={texts.n8256VisibleAscii}
            value={values.secret ?? ''}
            onValueChange={(secret) => onChange({ secret })}
          />
        </details>
      )}
      {error && <ErrorNote error={error} />}
      <DialogActions>
        <Button onClick={onFinish}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {isNew ? texts.create : common.save}
        </Button>
      </DialogActions>
    </Form>
  );
}
