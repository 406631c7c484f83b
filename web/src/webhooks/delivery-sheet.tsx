import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  RedeliverWebhookDeliveryDocument,
  WebhookDeliveriesDocument,
  WebhookDeliveryDocument,
  type WebhookDeliveryQuery,
  WebhookDocument,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { eventName } from '../api/event-texts.ts';
import { Button } from '../parts/controls/button.tsx';
import { CodeBox } from '../parts/values/code-box.tsx';
import { copyText } from '../parts/values/copy-text.ts';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Json } from '../parts/values/json.tsx';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { shellQuoted } from '../parts/values/shell-quoted.ts';
import { Status } from '../parts/figures/status.tsx';
import { exactTime } from '../parts/values/time-ago.tsx';
import { isGood, outcomeOf, stateOf } from './deliveries.ts';
import { texts } from './texts.ts';
import { useEnableWebhook } from './use-enable-webhook.ts';
import { WebhookState } from './webhook-state.tsx';
import styles from './webhooks.module.css';

type Delivery = WebhookDeliveryQuery['webhookDelivery'];

interface DeliverySheetProps {
  webhookId: string;
  deliveryId: string | undefined;
  onClose: () => void;
}

/** The request of a delivery and the result of each attempt. It updates while open. */
export function DeliverySheet({ webhookId, deliveryId, onClose }: DeliverySheetProps) {
  // Keep the content during the closing animation of the sheet.
  const [lastId, setLastId] = useState(deliveryId);
  if (deliveryId !== undefined && deliveryId !== lastId) setLastId(deliveryId);
  return (
    <Dialog isOpen={deliveryId !== undefined} title={texts.delivery} shape="sheet" onClose={onClose}>
      {lastId !== undefined && <Content key={lastId} webhookId={webhookId} deliveryId={lastId} />}
    </Dialog>
  );
}

function Content({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const cache = useQueryClient();
  const read = useQuery(query(WebhookDeliveryDocument, { webhookId, id: deliveryId }));
  const { data: owner } = useQuery(query(WebhookDocument, { id: webhookId }));
  const again = useMutation({
    mutationFn: () => request(RedeliverWebhookDeliveryDocument, { webhookId, deliveryId }),
    onSuccess: () =>
      Promise.all([read.refetch(), cache.invalidateQueries({ queryKey: keyOf(WebhookDeliveriesDocument) })]),
  });
  const enable = useEnableWebhook();
  const isDisabled = owner?.webhook.active === false;
  const action = isDisabled ? enable : again;
  const states = <QueryStates query={read} lines={['60%', '100%', '100%', '40%']} />;
  if (!read.data) return states;
  const delivery = read.data.webhookDelivery;
  const { word, tone } = stateOf(delivery.status);
  const { request: sent } = delivery;
  return (
    <>
      {states}
      <dl className={styles.facts}>
        <dt>{texts.state}</dt>
        <dd>
          <Status tone={tone}>{word}</Status>
        </dd>
        <dt>{texts.event}</dt>
        <dd>
          <code dir="ltr">{eventName(delivery.eventType)}</code>
        </dd>
        <dt>{texts.created}</dt>
        <dd>{exactTime(delivery.createdAt)}</dd>
        {delivery.nextAttemptAt && (
          <>
            <dt>{texts.nextAttempt}</dt>
            <dd>{exactTime(delivery.nextAttemptAt)}</dd>
          </>
        )}
        <dt>{texts.eventId}</dt>
        <dd>
          <code dir="ltr">{delivery.eventId}</code>
        </dd>
      </dl>
      {isDisabled && <WebhookState webhook={owner.webhook} />}
      <div className={styles.languages}>
        {/* One button, so that it keeps the focus when its action changes. */}
        <Button
          variant="primary"
          isBusy={action.isPending}
          onClick={() => (isDisabled ? enable.mutate(webhookId) : again.mutate())}
        >
          {isDisabled ? texts.enable : texts.sendAgain}
        </Button>
        {sent && owner && (
          <Button onClick={() => void copyText(curlOf(owner.webhook.url, sent))}>{texts.copyCurl}</Button>
        )}
      </div>
      {action.error && <ErrorNote error={action.error} />}
      <Attempts attempts={delivery.attempts} status={delivery.status} />
      <section className={styles.section}>
        <h3>{texts.payload}</h3>
        {delivery.event ? (
          <Json
            label={texts.payload}
            value={{
              id: delivery.event.id,
              type: eventName(delivery.event.type),
              created_at: delivery.event.createdAt,
              data: delivery.event.data,
            }}
          />
        ) : (
          <p className={styles.none}>{texts.eventNoLongerKeptSentence}</p>
        )}
      </section>
      {sent && (
        <section className={styles.section}>
          <h3>{texts.headersSent}</h3>
          <CodeBox label={texts.headers} text={sent.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')} />
          <p className={styles.hint}>{texts.signaturesLeftOnlyService}</p>
        </section>
      )}
    </>
  );
}

const Attempts = ({ attempts, status }: Pick<Delivery, 'attempts' | 'status'>) => (
  <section className={styles.section}>
    <h3>{texts.attempts}</h3>
    {attempts.length === 0 && (
      <p className={styles.none}>{status === 'PENDING' ? texts.noneYetSentence : texts.noneSentence}</p>
    )}
    <ol className={styles.attempts}>
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.startedAt}>
          <span className={styles.attempt}>
            <Status tone={isGood(attempt) ? 'good' : 'bad'}>{outcomeOf(attempt)}</Status>
            <span>{typeof attempt.durationMs !== 'number' ? '' : `${attempt.durationMs.toLocaleString()} ms`}</span>
            <time dateTime={attempt.startedAt}>{new Date(attempt.startedAt).toLocaleTimeString()}</time>
          </span>
          {attempt.excerpt && <pre dir="auto">{attempt.excerpt}</pre>}
        </li>
      ))}
    </ol>
  </section>
);

function curlOf(url: string, { headers, body }: NonNullable<Delivery['request']>): string {
  const lines = headers.map(({ name, value }) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  return [texts.curlXPost(shellQuoted(url)), ...lines, `--data-binary ${shellQuoted(body)}`].join(' \\\n  ');
}
