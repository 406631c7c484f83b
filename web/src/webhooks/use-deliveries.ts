import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import {
  type DeliveryFieldsFragment,
  type DeliveryStatus,
  WebhookDeliveriesDocument,
  type WebhookDeliveriesQuery,
  WebhookDeliveryDocument,
  WebhookDeliveryUpdatesDocument,
  type WebhookDeliveryUpdatesSubscription,
  WebhookDocument,
  type WebhookEventType,
  WebhooksDocument,
  WebhookStatsDocument,
} from '../api/generated/operations.ts';
import { afterFetch } from '../api/after-fetch.ts';
import { joined, putRow } from '../api/dated-rows.ts';
import { followList } from '../api/follow-list.ts';
import { paced } from '../api/paced.ts';
import { keyOf, pagedQuery } from '../api/query.ts';

export interface DeliveryFilter {
  status: DeliveryStatus | undefined;
  eventType: WebhookEventType | undefined;
}

type Pages = InfiniteData<WebhookDeliveriesQuery, string | null>;

/** A row that has the focus or is under the pointer. It must not move. */
const heldRow = 'tbody:hover, tbody:focus-within';

/** A busy webhook has many deliveries a second. */
const webhookPauseMs = 2_000;

/**
 * Follows the deliveries of a webhook. New ones are added, but while a row of `table` has the focus or the
 * pointer, they are only counted in `newCount` until `showNew` is called.
 */
export function useDeliveries(webhookId: string, filter: DeliveryFilter, table: RefObject<HTMLElement | null>) {
  const cache = useQueryClient();
  const options = pagedQuery(WebhookDeliveriesDocument, { webhookId, ...filter }, ({ webhookDeliveries }) =>
    webhookDeliveries.pageInfo.hasNextPage ? webhookDeliveries.pageInfo.endCursor : null,
  );
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });
  const [unseen, setUnseen] = useState<ReadonlySet<string>>(new Set());
  const key = JSON.stringify(options.queryKey);
  useEffect(() => {
    const queryKey = JSON.parse(key) as readonly unknown[];
    const { status, eventType } = (queryKey[1] ?? {}) as Partial<DeliveryFilter>;
    let isLeft = false;
    const invalidate = (...keys: QueryKey[]) =>
      Promise.all(keys.map((one) => cache.invalidateQueries({ queryKey: one })));
    // Failed deliveries can disable the webhook.
    const refreshWebhook = paced(webhookPauseMs, () =>
      invalidate(keyOf(WebhookStatsDocument), keyOf(WebhookDocument, { id: webhookId }), keyOf(WebhooksDocument)),
    );
    const readAgain = async (): Promise<void> => {
      refreshWebhook();
      await afterFetch(cache, queryKey);
      if (!isLeft) await invalidate(queryKey, keyOf(WebhookDeliveryDocument));
    };
    const take = async (delivery: DeliveryFieldsFragment): Promise<void> => {
      refreshWebhook();
      void invalidate(keyOf(WebhookDeliveryDocument, { webhookId, id: delivery.id }));
      await afterFetch(cache, queryKey);
      const pages = cache.getQueryData<Pages>(queryKey);
      if (isLeft || !pages) return;
      const changed = putDelivery(pages, delivery);
      const isWanted = (!status || status === delivery.status) && (!eventType || eventType === delivery.eventType);
      const isNew = changed !== pages && !isListed(pages, delivery);
      if (!isNew) cache.setQueryData(queryKey, changed);
      else if (isWanted && table.current?.querySelector(heldRow)) setUnseen((seen) => new Set([...seen, delivery.id]));
      else if (isWanted) cache.setQueryData(queryKey, changed);
    };
    const follower = {
      onResult: ({ webhookDeliveryUpdates }: WebhookDeliveryUpdatesSubscription) => void take(webhookDeliveryUpdates),
      readAgain: () => void readAgain(),
    };
    const stop = followList(WebhookDeliveryUpdatesDocument, { webhookId }, follower);
    return () => {
      isLeft = true;
      stop();
      setUnseen(new Set());
    };
  }, [cache, key, table, webhookId]);
  const showNew = (): void => {
    setUnseen(new Set());
    void list.refetch();
  };
  const deliveries = list.data && joined(list.data.pages.map((page) => page.webhookDeliveries.data));
  const listed = new Set(deliveries?.map(({ id }) => id));
  const newCount = deliveries ? [...unseen].filter((id) => !listed.has(id)).length : 0;
  return { list, deliveries, newCount, showNew };
}

const isListed = ({ pages }: Pages, { id }: DeliveryFieldsFragment): boolean =>
  pages.some(({ webhookDeliveries }) => webhookDeliveries.data.some((one) => one.id === id));

/** Returns the same pages if the delivery belongs to one that is not loaded. */
function putDelivery(loaded: Pages, delivery: DeliveryFieldsFragment): Pages {
  const rows = loaded.pages.map(({ webhookDeliveries }) => webhookDeliveries.data);
  const changed = putRow(rows, delivery, loaded.pages.at(-1)?.webhookDeliveries.pageInfo.hasNextPage ?? false);
  if (changed === rows) return loaded;
  const pages = loaded.pages.map(({ webhookDeliveries }, index) => ({
    webhookDeliveries: { ...webhookDeliveries, data: changed[index] ?? [] },
  }));
  return { ...loaded, pages };
}
