import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  RecoverWebhookDeliveriesDocument,
  type RecoverWebhookDeliveriesMutation,
  WebhookDeliveriesDocument,
} from '../api/generated/operations.ts';
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
import { serviceNow } from '../api/service-time.ts';
import { useSingleMutation } from '../parts/controls/use-single-mutation.ts';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

const dayMs = 86_400_000;

interface RecoverDialogProps {
  webhookId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Resends the deliveries that failed or were skipped since a given time. */
export const RecoverDialog = ({ webhookId, isOpen, onClose }: RecoverDialogProps) => (
  <Dialog
    isOpen={isOpen}
    title={texts.recoverDeliveries}
    description={texts.sendsEverythingAgainFailed}
    onClose={onClose}
  >
    <RecoverForm webhookId={webhookId} onClose={onClose} />
  </Dialog>
);

function RecoverForm({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const cache = useQueryClient();
  const [since, setSince] = useState(() => localTime(new Date(serviceNow() - dayMs)));
  const recover = useSingleMutation({
    mutationFn: () => recoverAll(webhookId, new Date(since).toISOString()),
    onSuccess: async (recovered) => {
      onClose();
      notify(texts.sentAgain(recovered));
      await cache.invalidateQueries({ queryKey: keyOf(WebhookDeliveriesDocument) });
    },
  });
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        recover.mutate();
      }}
    >
      <FormField
        name="since"
        label={texts.since}
        type="datetime-local"
        required
        value={since}
        hint={texts.timeZone}
        onValueChange={setSince}
      />
      {recover.error && <ErrorNote error={recover.error} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={recover.isPending}>
          {texts.sendAgain}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** Recovers deliveries in batches. Returns the total number. */
async function recoverAll(webhookId: string, since: string): Promise<number> {
  let recovered = 0;
  for (let next: string | null = since; next !== null;) {
    const answer: RecoverWebhookDeliveriesMutation = await request(RecoverWebhookDeliveriesDocument, {
      webhookId,
      input: { since: next },
    });
    recovered += answer.recoverWebhookDeliveries.recovered;
    next = answer.recoverWebhookDeliveries.nextSince;
  }
  return recovered;
}

/** Formats a date for `datetime-local`: local time without a time zone. */
const localTime = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
