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
 * Follows the deliveries of a webhook. New ones are added at the top, but while a row of `table` has the focus or the
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
    const take = (delivery: DeliveryFieldsFragment): void => {
      const pages = cache.getQueryData<Pages>(queryKey);
      const isWanted = (!status || status === delivery.status) && (!eventType || eventType === delivery.eventType);
      if (isListed(pages, delivery)) cache.setQueryData(queryKey, replaceDelivery(pages, delivery));
      else if (isWanted && table.current?.querySelector(heldRow)) setUnseen((seen) => new Set([...seen, delivery.id]));
      else if (isWanted) cache.setQueryData(queryKey, prependDelivery(pages, delivery));
      // The response of a running fetch may be older than this update.
      if (cache.isFetching({ queryKey }) > 0) void cache.invalidateQueries({ queryKey });
      void cache.invalidateQueries({ queryKey: keyOf(WebhookDeliveryDocument, { webhookId, id: delivery.id }) });
      void cache.invalidateQueries({ queryKey: keyOf(WebhookStatsDocument) });
    };
    void follow(webhookId, stop.signal, take, () => void cache.invalidateQueries({ queryKey }));
    return () => {
      stop.abort();
      setUnseen(new Set());
    };
  }, [cache, key, table, webhookId]);
  const showNew = (): void => {
    setUnseen(new Set());
    void list.refetch();
  };
  const listed = new Set(list.data?.pages.flatMap((page) => page.webhookDeliveries.data.map(({ id }) => id)));
  const newCount = list.data ? [...unseen].filter((id) => !listed.has(id)).length : 0;
  return { list, newCount, showNew };
}

const isListed = (pages: Pages | undefined, { id }: DeliveryFieldsFragment): boolean =>
  pages?.pages.some(({ webhookDeliveries }) => webhookDeliveries.data.some((one) => one.id === id)) ?? false;

const changeRows = (
  pages: Pages | undefined,
  change: (rows: DeliveryFieldsFragment[], page: number) => DeliveryFieldsFragment[],
): Pages | undefined =>
  pages && {
    ...pages,
    pages: pages.pages.map(({ webhookDeliveries, ...page }, index) => ({
      ...page,
      webhookDeliveries: { ...webhookDeliveries, data: change(webhookDeliveries.data, index) },
    })),
  };

const replaceDelivery = (pages: Pages | undefined, delivery: DeliveryFieldsFragment): Pages | undefined =>
  changeRows(pages, (rows) => rows.map((one) => (one.id === delivery.id ? { ...one, ...delivery } : one)));

const prependDelivery = (pages: Pages | undefined, delivery: DeliveryFieldsFragment): Pages | undefined =>
  changeRows(pages, (rows, page) => (page === 0 ? [delivery, ...rows] : rows));

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
