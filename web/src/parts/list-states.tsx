import { Button } from './button.tsx';
import { common } from './common-texts.ts';
import { ErrorNote } from './error-note.tsx';
import { Skeleton } from './skeleton.tsx';

interface ListStatesProps {
  list: {
    data: unknown;
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    refetch: () => unknown;
    fetchNextPage: () => unknown;
  };
  /** Height in pixels of a placeholder row. */
  height?: number;
}

/** Shown below the rows of a paged list: an error, placeholders while it loads, or a button that loads more. */
export const ListStates = ({ list, height = 56 }: ListStatesProps) => (
  <>
    {Boolean(list.error) && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
    {!list.data && !list.error && <Skeleton lines={['100%', '100%']} height={height} />}
    {list.hasNextPage && (
      <div>
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common.more}
        </Button>
      </div>
    )}
  </>
);
