import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import { asApiError, isTransient } from './api-error.ts';
import type { TypedDocumentString } from './generated/operations.ts';
import { keepInvalidations } from './keep-invalidations.ts';
import { request } from './request.ts';

const maximumRetries = 2;

export const createQueryClient = (): QueryClient =>
  keepInvalidations(
    new QueryClient({
      defaultOptions: {
        queries: {
          staleTime: 30_000,
          gcTime: 600_000,
          // Offline requests fail immediately and show an error; TanStack would pause them without any.
          networkMode: 'always',
          retry: (failures, error) => failures < maximumRetries && isTransient(asApiError(error)),
          retryDelay: (failures, error) => (asApiError(error).retryAfterSeconds ?? 2 ** failures) * 1000,
        },
        mutations: { networkMode: 'always' },
      },
    }),
  );

/** Creates every query key: operation name, then variables. */
export const keyOf = (document: { toString(): string }, variables?: unknown) =>
  variables === undefined ? [nameOf(document)] : [nameOf(document), variables];

const names = new WeakMap<object, string>();

function nameOf(document: { toString(): string }): string {
  const known = names.get(document);
  if (known !== undefined) return known;
  const name = /(?:query|mutation|subscription)\s+(\w+)/.exec(document.toString())?.[1] ?? '';
  names.set(document, name);
  return name;
}

/** Options of a query for `useQuery`, route loaders and the cache. */
export const query = <Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables) =>
  queryOptions({
    queryKey: keyOf(document, variables),
    queryFn: ({ signal }) => request(document, variables, { signal }),
  });

/** Options of a list with cursor pagination (`after`). */
export const pagedQuery = <Result, Variables extends { after?: string | null | undefined }>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  endCursorOf: (page: Result) => string | null | undefined,
) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(document, variables), 'paged'],
    queryFn: ({ signal, pageParam }) => request(document, { ...variables, after: pageParam || null }, { signal }),
    // Not null, which TanStack treats as "no page".
    initialPageParam: '' as string | null,
    getNextPageParam: (last) => endCursorOf(last),
  });
