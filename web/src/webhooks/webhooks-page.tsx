import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { CreateWebhookDocument, WebhooksDocument, type WebhooksQuery } from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { eventName } from '../api/event-texts.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { useMinute } from '../parts/values/minute.ts';
import { Page } from '../parts/page/page.tsx';
import { RemovableButton } from '../parts/controls/removable-button.tsx';
import { serviceNow } from '../api/service-time.ts';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { SparkLine } from '../parts/figures/spark-line.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { usePageActions } from '../parts/page/page-actions.ts';
import { texts } from './texts.ts';
import { useEnableWebhook } from './use-enable-webhook.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { reasonOf, WebhookState } from './webhook-state.tsx';
import { inputOf } from './webhook-input.ts';
import styles from './webhooks.module.css';

type Row = WebhooksQuery['webhooks']['data'][number];

const hourMs = 3_600_000;

/** All webhooks, with the results of their deliveries in the last 24 hours. */
export function WebhooksPage() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const list = useQuery(query(WebhooksDocument, {}));
  const [isNew, setNew] = useState(false);
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: keyOf(WebhooksDocument) });
  usePageActions([{ label: texts.newWebhook, run: () => setNew(true) }]);
  const { mutate } = useEnableWebhook();
  const enable = (id: string): void =>
    mutate(id, { onError: (error) => notifyFailure(texts.webhookNotEnabled, error, () => enable(id)) });
  const webhooks = list.data?.webhooks.data;
  const columns: Column<Row>[] = [
    {
      title: 'URL',
      render: ({ id, url, description, disabledReason }) => (
        <>
          <Link to="/webhooks/$webhookId" params={{ webhookId: id }} title={url} dir="auto">
            {description ?? url.replace(/^https:\/\//, '')}
          </Link>
          {disabledReason && disabledReason !== 'owner' && <p className={styles.reason}>{reasonOf(disabledReason)}</p>}
        </>
      ),
    },
    {
      title: common.events,
      width: '90px',
      isMinor: true,
      render: ({ events }) => {
        const names = events.map(eventName);
        return (
          <span className={styles.above} title={names.join('\n')}>
            {names.length} <span className="visually-hidden">{names.join(', ')}</span>
          </span>
        );
      },
    },
    {
      title: texts.state,
      // Wider only when a button needs it, because phones need the space for the URL.
      width: webhooks?.some(({ active }) => !active) ? 'min(12.5rem, 60cqi)' : '120px',
      render: (webhook) => (
        <span className={styles.state}>
          <WebhookState webhook={webhook} isShort />
          {!webhook.active && (
            <RemovableButton size="small" className={styles.above} onClick={() => enable(webhook.id)}>
              {texts.enable}
            </RemovableButton>
          )}
        </span>
      ),
    },
    { title: texts.last24Hours, width: '200px', isMinor: true, render: ({ hours }) => <LastDay hours={hours} /> },
  ];
  const newButton = (
    <Button variant="primary" onClick={() => setNew(true)}>
      <Plus size={16} />
      {texts.newWebhook}
    </Button>
  );
  return (
    <Page
      title={texts.webhooks}
      lead={texts.signedNotificationsEventsSent}
      action={(webhooks ? webhooks.length > 0 : list.isError) && newButton}
    >
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!webhooks && !list.error && <Skeleton lines={['100%', '100%', '100%']} height={44} />}
      {webhooks?.length === 0 && (
        <EmptyState icon={<WebhookIcon size={20} />} title={texts.noWebhookYet} action={newButton}>
          {fillIn(texts.webhookTellsOwnService, {
            link: <Link to="/events/catalog">{texts.seeAllEvents}</Link>,
            link2: <a href="/docs/guide/webhooks">{texts.readGuide}</a>,
          })}
        </EmptyState>
      )}
      {webhooks && webhooks.length > 0 && (
        <DataTable label={texts.webhooks} columns={columns} rows={webhooks} idOf={({ id }) => id} />
      )}
      <ApiNote tag="webhooks" path="/v1/webhooks" />
      <WebhookDialog
        isOpen={isNew}
        onClose={() => setNew(false)}
        onSave={async (values) => {
          const { createWebhook } = await request(CreateWebhookDocument, { input: inputOf(values) });
          setCreated({ id: createWebhook.id, secret: createWebhook.secret ?? '' });
          void refresh();
        }}
      />
      {created && (
        <WebhookSecret
          secret={created.secret}
          onStored={() => void navigate({ to: '/webhooks/$webhookId', params: { webhookId: created.id } })}
        />
      )}
    </Page>
  );
}

/** Bars of the last 24 hours, including hours without deliveries. */
function LastDay({ hours }: Pick<Row, 'hours'>) {
  useMinute();
  const now = serviceNow();
  const current = Math.floor(now / hourMs) * hourMs;
  const values = Array.from({ length: 24 }, (_, index) => {
    const hour = hours.find(({ start }) => Date.parse(start) === current - (23 - index) * hourMs);
    return { good: hour?.delivered ?? 0, bad: hour?.failed ?? 0 };
  });
  const good = values.reduce((sum, value) => sum + value.good, 0);
  const ended = values.reduce((sum, value) => sum + value.good + value.bad, 0);
  const label = ended === 0 ? texts.noDeliveries : texts.deliveredShare(Math.floor((good / ended) * 1000) / 10, ended);
  return (
    <span className={styles.lastDay}>
      <SparkLine label={label} values={values} />
      <span aria-hidden="true">{ended === 0 ? '–' : `${Math.floor((good / ended) * 1000) / 10} %`}</span>
    </span>
  );
}
