import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
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
import { keyOf, pagedQuery } from '../api/query.ts';
import { subscribe } from '../api/subscribe.ts';
import { waitForNetwork } from '../api/wait-for-network.ts';

export interface DeliveryFilter {
  status: DeliveryStatus | undefined;
  eventType: WebhookEventType | undefined;
}

type Pages = InfiniteData<WebhookDeliveriesQuery, string | null>;

/** The deliveries of a webhook, followed while the page is open. New ones wait in `newCount` until they are shown. */
export function useDeliveries(webhookId: string, filter: DeliveryFilter) {
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
    const take = (delivery: DeliveryFieldsFragment): void => {
      const isShown = replaceDelivery(cache.getQueryData<Pages>(queryKey), delivery);
      if (isShown) cache.setQueryData(queryKey, isShown);
      else if ((!status || status === delivery.status) && (!eventType || eventType === delivery.eventType)) {
        setUnseen((seen) => new Set([...seen, delivery.id]));
      }
      void cache.invalidateQueries({ queryKey: keyOf(WebhookDeliveryDocument, { webhookId, id: delivery.id }) });
      void cache.invalidateQueries({ queryKey: keyOf(WebhookStatsDocument) });
    };
    void follow(webhookId, stop.signal, take, () => void cache.invalidateQueries({ queryKey }));
    return () => {
      stop.abort();
      setUnseen(new Set());
    };
  }, [cache, key, webhookId]);
  const showNew = (): void => {
    setUnseen(new Set());
    void list.refetch();
  };
  const listed = new Set(list.data?.pages.flatMap((page) => page.webhookDeliveries.data.map(({ id }) => id)));
  const newCount = list.data ? [...unseen].filter((id) => !listed.has(id)).length : 0;
  return { list, newCount, showNew };
}

/** The pages with the new state of a delivery; null when it is on none of them. */
function replaceDelivery(data: Pages | undefined, delivery: DeliveryFieldsFragment): Pages | null {
  const isListed = data?.pages.some(({ webhookDeliveries }) =>
    webhookDeliveries.data.some(({ id }) => id === delivery.id),
  );
  if (!data || !isListed) return null;
  return {
    ...data,
    pages: data.pages.map(({ webhookDeliveries, ...page }) => ({
      ...page,
      webhookDeliveries: {
        ...webhookDeliveries,
        data: webhookDeliveries.data.map((one) => (one.id === delivery.id ? { ...one, ...delivery } : one)),
      },
    })),
  };
}

/** Follows the webhook through any number of lost connections; after each one the list is read again. */
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
        { signal },
      )) {
        attempt = 0;
        take(webhookDeliveryUpdates);
      }
      // It ended because the webhook was deleted.
      if (attempt === 0) return;
    } catch {
      // What was missed is in the list.
    }
    if (!signal.aborted) await waitForNetwork(attempt, signal);
    if (!signal.aborted) readAgain();
  }
}
