import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import type { DeliveryFieldsFragment, DeliveryStatus, WebhookEventType } from '../api/generated/operations.ts';
import { eventName, eventTypes } from '../api/event-texts.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { Status } from '../parts/figures/status.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { deliveryStates, outcomeOf, stateOf } from './deliveries.ts';
import { DeliverySheet } from './delivery-sheet.tsx';
import { texts } from './texts.ts';
import { useDeliveries } from './use-deliveries.ts';
import styles from './webhooks.module.css';

const columns: readonly Column<DeliveryFieldsFragment>[] = [
  { title: texts.event, render: ({ eventType }) => <code dir="ltr">{eventName(eventType)}</code> },
  {
    title: texts.state,
    width: '120px',
    render: ({ status }) => <Status tone={stateOf(status).tone}>{stateOf(status).word}</Status>,
  },
  {
    title: texts.lastAnswer,
    isMinor: true,
    render: ({ attempts, status }) => {
      const last = attempts.at(-1);
      if (last) return outcomeOf(last);
      return status === 'PENDING' ? texts.noneYet : '–';
    },
  },
  { title: texts.attempts, width: '90px', align: 'end', isMinor: true, render: ({ attempts }) => attempts.length },
  {
    title: texts.nextAttempt,
    width: '130px',
    isMinor: true,
    render: ({ nextAttemptAt }) => (nextAttemptAt ? <TimeAgo date={nextAttemptAt} /> : '–'),
  },
  { title: texts.created, width: '130px', align: 'end', render: ({ createdAt }) => <TimeAgo date={createdAt} /> },
];

/** Deliveries, with filters in the address. New ones appear on top, but not while a row has the focus or the pointer. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { status, type, delivery } = useSearch({ from: '/frame/webhooks/$webhookId' });
  const navigate = useNavigate({ from: '/webhooks/$webhookId' });
  const section = useRef<HTMLElement>(null);
  const { list, deliveries, newCount, showNew } = useDeliveries(webhookId, { status, eventType: type }, section);
  const filter = (part: { status?: DeliveryStatus | undefined; type?: WebhookEventType | undefined }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const router = useRouter();
  const wasPushed = useRef(false);
  const show = (id: string | undefined): void =>
    void navigate({ search: (old) => ({ ...old, delivery: id }), replace: id === undefined, resetScroll: false });
  const open = (id: string): void => {
    wasPushed.current = true;
    show(id);
  };
  // Adds no entry to the history, because Back would open the sheet again.
  const close = (): void => {
    if (wasPushed.current) router.history.back();
    else show(undefined);
    wasPushed.current = false;
  };
  const isFiltered = status !== undefined || type !== undefined;
  return (
    <section ref={section} className={styles.section} aria-labelledby="deliveries">
      <header className={styles.head}>
        <h2 id="deliveries">{texts.deliveries}</h2>
        <select
          aria-label={texts.state}
          value={status ?? ''}
          onChange={({ target }) => filter({ status: (target.value || undefined) as DeliveryStatus | undefined })}
        >
          <option value="">{texts.everyState}</option>
          {deliveryStates.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
        <select
          aria-label={texts.event}
          value={type ?? ''}
          onChange={({ target }) => filter({ type: (target.value || undefined) as WebhookEventType | undefined })}
        >
          <option value="">{texts.everyEvent}</option>
          {eventTypes.map((value) => (
            <option key={value} value={value}>
              {eventName(value)}
            </option>
          ))}
        </select>
      </header>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!deliveries && !list.error && <Skeleton lines={['100%', '100%', '100%']} height={44} />}
      {deliveries && (deliveries.length > 0 || newCount > 0) && (
        <DataTable
          label={texts.deliveries}
          columns={columns}
          rows={deliveries}
          idOf={({ id }) => id}
          openId={delivery}
          onOpen={({ id }) => open(id)}
          notice={
            newCount > 0 && (
              <button type="button" className={styles.newRows} onClick={showNew}>
                {texts.new(newCount)}
              </button>
            )
          }
        />
      )}
      {deliveries?.length === 0 && newCount === 0 && (
        <p className={styles.none}>{isFiltered ? texts.noDeliveryMatchesFilter : texts.nothingSentYetSend}</p>
      )}
      {list.hasNextPage && (
        <div>
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {common.more}
          </Button>
        </div>
      )}
      <DeliverySheet webhookId={webhookId} deliveryId={delivery} onClose={close} />
    </section>
  );
}
