/** Awaiting it returns one page; iterating over it returns the items of all pages, fetched as needed. */
export type Pages<Page extends { data: readonly unknown[] }> = Promise<Page> & AsyncIterable<Page['data'][number]>;

/** The start of the next page: an offset, or the id of the oldest item of this page. */
export type Paging = 'offset' | 'before';

interface AnyPage {
  data: readonly unknown[];
  total?: number;
  has_more?: boolean;
}

export function pages<Page extends AnyPage, Query extends object>(
  query: Query | undefined,
  paging: Paging,
  load: (query: Query) => Promise<Page>,
): Pages<Page> {
  const first = load((query ?? {}) as Query);
  return Object.assign(first, { [Symbol.asyncIterator]: () => items(first, query, paging, load) }) as Pages<Page>;
}

async function* items<Page extends AnyPage, Query extends object>(
  first: Promise<Page>,
  query: Query | undefined,
  paging: Paging,
  load: (query: Query) => Promise<Page>,
): AsyncGenerator<unknown, void, void> {
  let offset = (query as { offset?: number } | undefined)?.offset ?? 0;
  for (let page = await first; ;) {
    yield* page.data;
    offset += page.data.length;
    const hasMore = page.has_more ?? offset < (page.total ?? 0);
    if (!hasMore || page.data.length === 0) return;
    const next =
      paging === 'offset' ? { offset } : { before: (page.data.at(-1) as { id: string }).id, offset: undefined };
    page = await load({ ...query, ...next } as Query & typeof next);
  }
}
