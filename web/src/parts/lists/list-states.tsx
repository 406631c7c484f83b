import { useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { common } from '../common-texts.ts';
import { ErrorNote } from './error-note.tsx';
import { Skeleton } from './skeleton.tsx';
import { texts } from '../texts.ts';
import { useNearView } from './use-near-view.ts';

interface ListStatesProps {
  list: {
    data: { pages: readonly unknown[] } | undefined;
    error: unknown;
    hasNextPage: boolean;
    isFetching: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    refetch: () => unknown;
    fetchNextPage: () => unknown;
  };
  /** Height in pixels of a placeholder row. */
  height?: number;
  /** Number of rows shown. When set, the next page loads as the reader scrolls near the end. */
  shown?: number | undefined;
}

/** After this many pages the list waits for its button, so that the content below it stays reachable. */
const pagesInOneGo = 5;
const scroll = ['scroll'] as const;

/** Shown below the rows of a paged list: an error, placeholders while it loads, or a button that loads more. */
export function ListStates({ list, height = 56, shown }: ListStatesProps) {
  const { data, error, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError } = list;
  const place = useRef<HTMLDivElement>(null);
  const pages = data?.pages.length ?? 0;
  const isEndless = shown !== undefined;
  const loadMore = (): void => void list.fetchNextPage();
  useNearView(place, {
    isWatching: isEndless && hasNextPage && !isFetching && !error && pages % pagesInOneGo !== 0,
    after: scroll,
    onNear: loadMore,
  });
  return (
    <>
      {Boolean(error) && !isFetchingNextPage && (
        <ErrorNote error={error} onRetry={isFetchNextPageError ? undefined : () => void list.refetch()} />
      )}
      {!data && !error && <Skeleton lines={['100%', '100%']} height={height} />}
      {hasNextPage && (
        <div ref={place}>
          <Button isBusy={isFetchingNextPage} onClick={loadMore}>
            {isFetchNextPageError ? common.tryAgain : common.more}
          </Button>
        </div>
      )}
      {isEndless && (
        <p className="visually-hidden" role="status">
          {isFetchingNextPage && texts.loadingMore}
          {!isFetchingNextPage && pages > 1 && texts.nowShown(shown)}
        </p>
      )}
    </>
  );
}
