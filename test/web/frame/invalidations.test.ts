import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { keepInvalidations } from '../../../web/src/api/keep-invalidations.ts';

/** Returns a client and a query whose fetches take the current text, but answer only when one of `answers` is called. */
function startQuery() {
  const client = keepInvalidations(new QueryClient());
  const source = { text: 'before' };
  const answers: (() => void)[] = [];
  const queryFn = (): Promise<string> => {
    const { text } = source;
    return new Promise((resolve) => answers.push(() => resolve(text)));
  };
  return { client, source, answers, options: { queryKey: ['text'], queryFn, staleTime: Infinity } };
}

describe('an invalidation during a fetch', () => {
  test('reads a shown query again whose first fetch was running', async () => {
    const { client, source, answers, options } = startQuery();
    const stop = new QueryObserver(client, options).subscribe(() => undefined);
    source.text = 'after';
    void client.invalidateQueries({ queryKey: ['text'] });
    answers[0]?.();
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    await expect.poll(() => client.getQueryData(['text'])).toBe('after');
    stop();
  });

  test('leaves a query stale that is not shown yet', async () => {
    const { client, answers, options } = startQuery();
    const first = client.query(options);
    await client.invalidateQueries({ queryKey: ['text'] });
    answers[0]?.();
    await first;
    await expect.poll(() => client.getQueryState(['text'])).toMatchObject({ data: 'before', isInvalidated: true });
  });

  test('restarts the fetch of a shown query with data only once', async () => {
    const { client, source, answers, options } = startQuery();
    client.setQueryData(['text'], 'old');
    const stop = new QueryObserver(client, options).subscribe(() => undefined);
    void client.refetchQueries({ queryKey: ['text'] });
    source.text = 'after';
    const invalidated = client.invalidateQueries({ queryKey: ['text'] });
    answers.forEach((answer) => answer());
    await invalidated;
    expect([answers.length, client.getQueryData(['text'])]).toEqual([2, 'after']);
    stop();
  });

  test('reads a query again once, however often it was invalidated', async () => {
    const { client, answers, options } = startQuery();
    const stop = new QueryObserver(client, options).subscribe(() => undefined);
    for (let n = 0; n < 5; n++) void client.invalidateQueries({ queryKey: ['text'] });
    answers[0]?.();
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    await expect.poll(() => client.isFetching()).toBe(0);
    expect(answers.length).toBe(2);
    stop();
  });

  test('marks a query without reading it again if that was requested', async () => {
    const { client, answers, options } = startQuery();
    const stop = new QueryObserver(client, options).subscribe(() => undefined);
    void client.invalidateQueries({ queryKey: ['text'], refetchType: 'none' });
    answers[0]?.();
    await expect.poll(() => client.getQueryState(['text'])).toMatchObject({ data: 'before', isInvalidated: true });
    expect(answers.length).toBe(1);
    stop();
  });

  test('leaves a query stale whose fetch is cancelled', async () => {
    const { client, options } = startQuery();
    client.setQueryData(['text'], 'before');
    void client.query({ ...options, staleTime: 0 });
    void client.invalidateQueries({ queryKey: ['text'] });
    await client.cancelQueries({ queryKey: ['text'] });
    await expect.poll(() => client.getQueryState(['text'])?.isInvalidated).toBe(true);
  });
});

/** Returns a shown list with one page, whose fetches answer when `answer` is called. */
async function startList() {
  const client = keepInvalidations(new QueryClient());
  const source = { text: 'before' };
  const answers: (() => void)[] = [];
  const list = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn: ({ pageParam, signal: _signal }) => {
      const { text } = source;
      return new Promise<string>((resolve) => answers.push(() => resolve(`${pageParam} ${text}`)));
    },
    initialPageParam: 1,
    getNextPageParam: (_last, pages) => pages.length + 1,
    staleTime: Infinity,
  });
  const stop = list.subscribe(() => undefined);
  const answer = (): void => answers.splice(0).forEach((give) => give());
  const pages = () => list.getCurrentResult().data?.pages;
  answer();
  await expect.poll(pages).toEqual(['1 before']);
  const answered = () => {
    answer();
    return pages();
  };
  return { client, source, list, pages, answer, answered, stop };
}

describe('a further page', () => {
  test('that is requested while an invalidation is read again keeps the invalidation', async () => {
    const { client, source, list, answered, stop } = await startList();
    source.text = 'after';
    void client.invalidateQueries({ queryKey: ['list'] });
    void list.fetchNextPage();
    await expect.poll(answered).toEqual(['1 after', '2 after']);
    stop();
  });

  test('that loads during an invalidation is shown before the list is read again', async () => {
    const { client, source, list, pages, answer, answered, stop } = await startList();
    void list.fetchNextPage();
    source.text = 'after';
    void client.invalidateQueries({ queryKey: ['list'] });
    answer();
    await expect.poll(pages).toEqual(['1 before', '2 before']);
    await expect.poll(answered).toEqual(['1 after', '2 after']);
    stop();
  });

  test('that follows an invalidation without a refetch starts none', async () => {
    const { client, list, pages, answer, stop } = await startList();
    await client.invalidateQueries({ queryKey: ['list'], refetchType: 'none' });
    void list.fetchNextPage();
    answer();
    await expect.poll(pages).toEqual(['1 before', '2 before']);
    expect(client.isFetching()).toBe(0);
    stop();
  });
});
