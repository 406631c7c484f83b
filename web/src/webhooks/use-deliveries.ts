import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import {
  type DeliveryFieldsFragment,
  type DeliveryStatus,
  WebhookDeliveriesDocument,
  type WebhookDeliveriesQuery,
  WebhookDeliveryDocument,
  WebhookDeliveryUpdatesDocument,
  type WebhookEventType,
  WebhookStatsDocument,
} from '../api/generated/operations.ts';
import { afterFetch } from '../api/after-fetch.ts';
import { joined, putRow } from '../api/dated-rows.ts';
import { keyOf, pagedQuery } from '../api/query.ts';
import { subscribe } from '../api/subscribe.ts';
import { waitForNetwork } from '../api/wait-for-network.ts';

export interface DeliveryFilter {
  status: DeliveryStatus | undefined;
  eventType: WebhookEventType | undefined;
}

type Pages = InfiniteData<WebhookDeliveriesQuery, string | null>;

/** A row that has the focus or is under the pointer. It must not move. */
const heldRow = 'tbody:hover, tbody:focus-within';

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
    const stop = new AbortController();
    const queryKey = JSON.parse(key) as readonly unknown[];
    const { status, eventType } = (queryKey[1] ?? {}) as Partial<DeliveryFilter>;
    const take = async (delivery: DeliveryFieldsFragment): Promise<void> => {
      void cache.invalidateQueries({ queryKey: keyOf(WebhookDeliveryDocument, { webhookId, id: delivery.id }) });
      void cache.invalidateQueries({ queryKey: keyOf(WebhookStatsDocument) });
      await afterFetch(cache, queryKey);
      const pages = cache.getQueryData<Pages>(queryKey);
      if (stop.signal.aborted || !pages) return;
      const changed = putDelivery(pages, delivery);
      const isWanted = (!status || status === delivery.status) && (!eventType || eventType === delivery.eventType);
      const isNew = changed !== pages && !isListed(pages, delivery);
      if (!isNew) cache.setQueryData(queryKey, changed);
      else if (isWanted && table.current?.querySelector(heldRow)) setUnseen((seen) => new Set([...seen, delivery.id]));
      else if (isWanted) cache.setQueryData(queryKey, changed);
    };
    void follow(
      webhookId,
      stop.signal,
      (delivery) => void take(delivery),
      () => void cache.invalidateQueries({ queryKey }),
    );
    return () => {
      stop.abort();
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

/** Follows the webhook and reconnects. Each connection calls `readAgain`, for updates missed before it. */
async function follow(
  webhookId: string,
  signal: AbortSignal,
  take: (delivery: DeliveryFieldsFragment) => void,
  readAgain: () => void,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      for await (const { webhookDeliveryUpdates } of subscribe(
        WebhookDeliveryUpdatesDocument,
        { webhookId },
        { signal, onOpen: readAgain },
      )) {
        attempt = 0;
        take(webhookDeliveryUpdates);
      }
      // The stream ended because the webhook was deleted.
      if (attempt === 0) return;
    } catch {
      // Retried below. Reading the list again recovers missed updates.
    }
    if (!signal.aborted) await waitForNetwork(attempt, signal);
  }
}
