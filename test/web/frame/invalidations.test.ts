import { QueryClient, QueryObserver } from '@tanstack/react-query';
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
});
