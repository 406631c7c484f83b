import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  TestWebhookDocument,
  WebhookDeliveriesDocument,
  type WebhookEventType,
  type WebhookFieldsFragment,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { eventName, eventTypes } from '../api/event-texts.ts';
import { Button } from '../parts/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { texts } from './texts.ts';

/** Sends a test event of a chosen type with example data, and opens its delivery. */
export function TestEventButton({ webhook }: { webhook: WebhookFieldsFragment }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [type, setType] = useState<WebhookEventType>(webhook.events[0] ?? 'AGENT_CREATED');
  const { id: webhookId } = webhook;
  const test = useMutation({
    mutationFn: () => request(TestWebhookDocument, { webhookId, input: { eventType: type } }),
    onSuccess: async ({ testWebhook }) => {
      setOpen(false);
      await navigate({ to: '/webhooks/$webhookId', params: { webhookId }, search: { delivery: testWebhook.id } });
      await cache.invalidateQueries({ queryKey: keyOf(WebhookDeliveriesDocument) });
    },
  });
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {texts.testEvent}
      </Button>
      <Dialog
        isOpen={isOpen}
        title={texts.sendTestEvent}
        description={texts.exampleDataGoesWebhook}
        onClose={() => setOpen(false)}
      >
        <SelectField
          name="type"
          label={texts.event}
          value={type}
          options={eventTypes.map((value) => [value, eventName(value)])}
          onChange={(value) => setType(value as WebhookEventType)}
        />
        {test.error && <ErrorNote error={test.error} />}
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{common.cancel}</Button>
          <Button variant="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
            {common.send}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
