import { useQueryClient } from '@tanstack/react-query';
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
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { useSave } from '../parts/controls/use-save.ts';
import { usePageActions } from '../parts/page/page-actions.ts';
import { texts } from './texts.ts';

interface TestEventProps {
  webhook: WebhookFieldsFragment;
}

/** Sends a test event of a chosen type with example data, and opens its delivery. */
export function TestEventButton({ webhook }: TestEventProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  usePageActions([{ label: texts.sendTestEvent, run: () => setOpen(true) }]);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {texts.testEvent}
      </Button>
      <Dialog isOpen={isOpen} title={texts.sendTestEvent} description={texts.exampleDataGoesWebhook} onClose={close}>
        <TestEvent webhook={webhook} onClose={close} />
      </Dialog>
    </>
  );
}

function TestEvent({ webhook, onClose }: TestEventProps & { onClose: () => void }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [type, setType] = useState<WebhookEventType>(webhook.events[0] ?? 'AGENT_CREATED');
  const { id: webhookId } = webhook;
  const { save, isPending, error } = useSave(async () => {
    const { testWebhook } = await request(TestWebhookDocument, { webhookId, input: { eventType: type } });
    onClose();
    await navigate({ to: '/webhooks/$webhookId', params: { webhookId }, search: { delivery: testWebhook.id } });
    await cache.invalidateQueries({ queryKey: keyOf(WebhookDeliveriesDocument) });
  });
  return (
    <>
      <SelectField
        name="type"
        label={texts.event}
        value={type}
        options={eventTypes.map((value) => [value, eventName(value)])}
        onChange={(value) => setType(value as WebhookEventType)}
      />
      {error && <ErrorNote error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button variant="primary" isBusy={isPending} onClick={() => save()}>
          {common.send}
        </Button>
      </DialogActions>
    </>
  );
}
