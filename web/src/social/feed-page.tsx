import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp, Newspaper } from 'lucide-react';
import { useRef } from 'react';
import { FeedCountDocument, FeedDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { FeedItem } from './feed-item.tsx';
import { feedQuery } from './feed-query.ts';
import { texts } from './texts.ts';
import styles from './social.module.css';

const countMs = 30_000;
/** The service caps the count of new items here. */
const maximumCounted = 100;

/** Activity of the people whom the person follows; suggested agents for a person who follows no one. */
export function FeedPage() {
  const list = useInfiniteQuery(feedQuery());
  const items = list.data?.pages.flatMap(({ feed }) => feed.data);
  const isSuggested = items?.[0]?.type === 'SUGGESTION';
  const newest = isSuggested ? undefined : items?.[0]?.id;
  const marketplace = <ButtonLink to="/marketplace">{texts.toMarketplace}</ButtonLink>;
  return (
    <Page title={texts.feed} lead={texts.feedLead}>
      {newest !== undefined && <Newer since={newest} />}
      {isSuggested && (
        <div className={styles.note}>
          <p>{texts.followNoOne}</p>
          {marketplace}
        </div>
      )}
      {items?.length === 0 && (
        <EmptyState icon={<Newspaper size={20} />} title={texts.feedEmpty} action={marketplace}>
          {texts.feedEmptyWhy}
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ul className={styles.feed} aria-label={isSuggested ? texts.suggestions : texts.feed}>
          {items.map((item) => (
            <li key={item.id}>
              <FeedItem item={item} />
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} height={96} />
      <ApiNote tag="social" path="/v1/social/feed" />
    </Page>
  );
}

/** Counts items newer than the first one shown. They load on request, so that the page does not move. */
function Newer({ since }: { since: string }) {
  const cache = useQueryClient();
  const status = useRef<HTMLDivElement>(null);
  const { data } = useQuery({ ...query(FeedCountDocument, { since }), staleTime: 0, refetchInterval: countMs });
  const newer = data?.feed.count ?? 0;
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(FeedDocument, { before: null }),
    onSuccess: async (first) => {
      const { queryKey } = feedQuery();
      // A further page that is loading would be added to the earlier items.
      await cache.cancelQueries({ queryKey });
      cache.setQueryData(queryKey, { pages: [first], pageParams: [''] });
      status.current?.focus();
    },
    onError: (error) => notifyFailure(texts.notLoaded, error),
  });
  return (
    <div ref={status} tabIndex={-1} role="status" className={styles.newer}>
      {newer > 0 && (
        <Button isBusy={isPending} onClick={() => mutate()}>
          <ArrowUp size={16} />
          {texts.newer(newer, newer >= maximumCounted)}
        </Button>
      )}
    </div>
  );
}
