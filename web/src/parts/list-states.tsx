import { useRef } from 'react';
import { Button } from './button.tsx';
import { common } from './common-texts.ts';
import { ErrorNote } from './error-note.tsx';
import { Skeleton } from './skeleton.tsx';
import { texts } from './texts.ts';
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
  /** Of a row that is loading. */
  height?: number;
  /** How many rows are shown. Given, the next page loads when the reader comes near the end. */
  shown?: number | undefined;
}

/** After so many pages the list waits for its button, so that what is below it can be reached. */
const pagesInOneGo = 5;
const scroll = ['scroll'] as const;

/** What is below the rows of a list with pages: the reason of a failure, the shape of what loads, and the way to more. */
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
          {isFetchingNextPage ? texts.loadingMore : pages > 1 ? texts.nowShown(shown) : ''}
        </p>
      )}
    </>
  );
}
