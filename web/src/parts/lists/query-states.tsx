import { ErrorNote } from './error-note.tsx';
import { Skeleton } from './skeleton.tsx';

interface QueryStatesProps {
  query: { data: unknown; error: unknown; refetch: () => unknown };
  /** Widths of the placeholders. */
  lines: readonly string[];
  /** Height in pixels of a placeholder. */
  height?: number;
}

/** Shown above the result of a query: an error, or placeholders while it loads. The last result stays below an error. */
export function QueryStates({ query, lines, height }: QueryStatesProps) {
  const { data, error, refetch } = query;
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Skeleton lines={lines} height={height} /> : null;
}
