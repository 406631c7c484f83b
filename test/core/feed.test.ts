import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createFeed } from '../../src/core/feeds/feed.ts';
import { createFeedMemory, keptBytesOf } from '../../src/core/feeds/feed-memory.ts';
import { createFeedPages } from '../../src/core/feeds/feed-pages.ts';
import { eventually } from '../support/eventually.ts';

/** Creates a feed of numbers, in which each number is its own position. */
function numberFeed() {
  let newest = 0;
  let reads = 0;
  let wake: () => void = () => undefined;
  const read = async (after: number) => {
    reads++;
    const items = Array.from({ length: Math.min(newest - after, 100) }, (_, n) => after + n + 1);
    return { items, next: items.at(-1) ?? after, hasMore: items.length === 100 };
  };
  let isEmpty = false;
  const feed = createFeed<number, number>({
    account: 'numbers',
    source: { head: async () => newest, read, isRead: (position) => (item) => item <= position },
    onWake: (listener) => {
      wake = listener;
      return () => undefined;
    },
    onEmpty: () => (isEmpty = true),
    log: pino({ level: 'silent' }),
  });
  const write = (count: number) => {
    newest += count;
    wake();
  };
  return { feed, write, reads: () => reads, isEmpty: () => isEmpty };
}

async function take(items: AsyncGenerator<number, void, void>, count: number): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) taken.push((await items.next()).value as number);
  return taken;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('the pages of feeds', () => {
  const read = (pages: ReturnType<typeof createFeedPages<Buffer, number>>, n: number) => {
    pages.add([Buffer.alloc(0)], n);
  };
  const megabyte = 1_048_576;
  const feedOf = (account: string, itemBytes: number) => {
    const pages = createFeedPages<Buffer, number>(() => false, {
      memory: createFeedMemory(account),
      sizeOf: () => itemBytes,
    });
    const reader = pages.join();
    for (let n = 0; n < 100; n++) read(pages, n);
    return { pages, reader };
  };

  test('keep at most 1 MB, so that a reader which falls behind reads the log', () => {
    const { reader } = feedOf('one', 100_000);
    expect(keptBytesOf('one')).toBeLessThanOrEqual(megabyte);
    expect(reader.next()).toBe('behind');
    reader.leave();
    expect(keptBytesOf('one')).toBe(0);
  });

  test('keep at most 4 MB for all feeds of an account, and leave those of others alone', () => {
    const feeds = Array.from({ length: 20 }, () => feedOf('many', 100_000));
    expect(keptBytesOf('many')).toBeLessThanOrEqual(4 * megabyte);
    const other = feedOf('other', 5_000);
    expect(other.reader.next()).toMatchObject({ after: 0 });
    for (const { reader } of [...feeds, other]) reader.leave();
    expect(keptBytesOf('many')).toBe(0);
  });

  test('keep at most 64 MB for all feeds of a process, and a small newest page in any case', () => {
    const accounts = Array.from({ length: 100 }, (_, n) => `account ${n}`);
    const feeds = accounts.map((account) => feedOf(account, 100_000));
    const kept = accounts.reduce((sum, account) => sum + keptBytesOf(account), 0);
    expect(kept).toBeLessThanOrEqual(64 * megabyte);
    const small = feedOf('small', 100);
    expect(keptBytesOf('small')).toBeGreaterThan(0);
    for (const { reader } of [...feeds, small]) reader.leave();
  });
});

describe('a feed', () => {
  test('reads new items once for all its readers, and nothing while it is idle', async () => {
    const { feed, write, reads } = numberFeed();
    const left = new AbortController();
    const readers = Array.from({ length: 100 }, () => feed.follow(null, left.signal));
    const first = readers.map((reader) => reader.next());
    await eventually(() => reads() > 0);
    const before = reads();
    write(1);
    expect((await Promise.all(first)).map(({ value }) => value)).toEqual(readers.map(() => 1));
    expect(reads() - before).toBeLessThanOrEqual(2);
    left.abort();
  });

  test('sends a resuming reader everything after its position, then new items, once and in order', async () => {
    const { feed, write } = numberFeed();
    const left = new AbortController();
    const other = feed.follow(null, left.signal);
    void other.next();
    write(250);
    const reader = feed.follow(20, left.signal);
    expect(await take(reader, 230)).toEqual(numbers(21, 250));
    write(3);
    expect(await take(reader, 3)).toEqual([251, 252, 253]);
    left.abort();
  });

  test('reads the log once for all readers that resume from one position at once', async () => {
    const { feed, write, reads } = numberFeed();
    const left = new AbortController();
    write(250);
    const readers = Array.from({ length: 50 }, () => take(feed.follow(0, left.signal), 250));
    for (const taken of await Promise.all(readers)) expect(taken).toEqual(numbers(1, 250));
    // Its own new items, three pages, and a page that was being read when others asked for it.
    expect(reads()).toBeLessThanOrEqual(5);
    left.abort();
  });

  test('lets a reader fall behind the buffer and catch up from the log', async () => {
    const { feed, write } = numberFeed();
    const left = new AbortController();
    const [slow, fast] = [feed.follow(0, left.signal), feed.follow(0, left.signal)];
    write(1);
    expect([await take(slow, 1), await take(fast, 1)]).toEqual([[1], [1]]);
    for (let n = 0; n < 30; n++) {
      write(50);
      await take(fast, 50);
    }
    expect(await take(slow, 1_500)).toEqual(numbers(2, 1_501));
    left.abort();
  });

  test('sends a reader that joined before its position was read everything after it, without a separate read', async () => {
    const { feed, write, reads } = numberFeed();
    const left = new AbortController();
    write(10);
    const first = feed.follow(null, left.signal).next();
    const follow = await feed.join(left.signal);
    await eventually(() => reads() > 0);
    write(3);
    expect((await first).value).toBe(11);
    const before = reads();
    expect(await take(follow(12), 1)).toEqual([13]);
    expect(reads()).toBe(before);
    left.abort();
  });

  test('is empty when readers that joined have left before reading', async () => {
    const { feed, isEmpty } = numberFeed();
    const left = new AbortController();
    await feed.join(left.signal);
    expect(isEmpty()).toBe(false);
    left.abort();
    expect(isEmpty()).toBe(true);
  });

  test('starts a reader with the current state, whenever it joins, and sends every change after that', async () => {
    let [state, known]: [number, number | null] = [0, null];
    let wake: () => void = () => undefined;
    const feed = createFeed<number, number>({
      account: 'states',
      source: {
        head: async () => 0,
        read: async () => ({ items: [], next: 0, hasMore: false }),
        poll: async () => {
          const items = known === state ? [] : [state];
          known = state;
          return { items, next: 0, hasMore: false };
        },
        isRead: () => () => false,
        now: () => known,
      },
      onWake: (listener) => {
        wake = listener;
        return () => undefined;
      },
      onEmpty: () => undefined,
      log: pino({ level: 'silent' }),
    });
    const left = new AbortController();
    const last = 30;
    const readToTheLast = async (): Promise<number> => {
      for await (const item of feed.follow(0, left.signal)) if (item === last) return item;
      return 0;
    };
    const joined = [readToTheLast()];
    for (state = 1; state < last; state++) {
      wake();
      for (let n = 0; n < state; n++) await Promise.resolve();
      joined.push(readToTheLast());
    }
    wake();
    expect(await Promise.all(joined)).toEqual(joined.map(() => last));
    void feed.follow(0, left.signal).next();
    expect(await readToTheLast()).toBe(last);
    left.abort();
  });

  test('ends its readers when they leave, and is empty without any', async () => {
    const { feed, isEmpty } = numberFeed();
    const left = new AbortController();
    const waiting = feed.follow(null, left.signal).next();
    left.abort();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(isEmpty()).toBe(true);
  });
});

test('pages of a feed are kept within a bound, and a reader notices that it is behind', () => {
  const pages = createFeedPages<number, number>(() => false);
  const reader = pages.join();
  for (let n = 0; n < 20; n++) pages.add(numbers(1, 50), n);
  expect(reader.next()).toBe('behind');
  reader.moveToEnd();
  expect(reader.next()).toBeNull();
});
