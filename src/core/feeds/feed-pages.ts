import { createFeedMemory, type FeedMemory } from './feed-memory.ts';

interface Page<Item, Position> {
  items: readonly Item[];
  /** Position of a reader that has read the whole page. */
  after: Position;
  bytes: number;
}

interface PageReader<Item, Position> {
  /** Skips all kept pages, except from the first page on that has an item that still grows. */
  moveToEnd(): void;
  /** Returns the next page; null at the end; `behind` when the page is no longer kept. */
  next(): Page<Item, Position> | 'behind' | null;
  /** Resolves when there may be another page. */
  changed(): Promise<void>;
  /** Ends the wait of this reader. */
  wake(): void;
  leave(): void;
}

export interface FeedPages<Item, Position> {
  readonly readers: number;
  add(items: readonly Item[], after: Position): void;
  join(): PageReader<Item, Position>;
}

/** Largest number of items kept for readers that are not at the end. */
const maxItems = 500;

/**
 * Up to this number of readers, pages are pruned whenever a reader reaches the end; with more, only when the next page
 * arrives.
 */
const fewReaders = 8;

interface ReaderState {
  /** Number of the next page to read. */
  nextPage: number;
  resume: (() => void) | null;
}

/** A newest page up to this size is kept in any case, because it may hold items that are in no log. */
const smallBytes = 16_384;

interface PagesOptions<Item> {
  memory?: FeedMemory;
  /** Returns the size of an item in memory, in bytes. */
  sizeOf?: ((item: Item) => number) | undefined;
}

/**
 * Creates a buffer of the recent pages of a feed. It keeps a page until every reader has it, up to a limit of items and
 * of bytes.
 */
export function createFeedPages<Item, Position>(
  isOpen: (item: Item) => boolean,
  { memory = createFeedMemory(''), sizeOf = () => 0 }: PagesOptions<Item> = {},
): FeedPages<Item, Position> {
  const readers = new Set<ReaderState>();
  let pages: Page<Item, Position>[] = [];
  let itemCount = 0;
  /** Number of the first page that is kept. */
  let first = 0;

  const end = (): number => first + pages.length;

  function drop(count: number): void {
    for (const { items, bytes } of pages.slice(0, count)) {
      itemCount -= items.length;
      memory.add(-bytes);
    }
    pages = pages.slice(count);
    first += count;
  }

  function prune(): void {
    let needed = end();
    for (const { nextPage } of readers) needed = Math.min(needed, nextPage);
    const open = pages.findIndex(({ items }) => items.some(isOpen));
    if (open >= 0) needed = Math.min(needed, first + open);
    if (needed > first) drop(needed - first);
    limit();
  }

  function limit(): void {
    while (itemCount > maxItems && pages.length > 1) drop(1);
    while (memory.isOver && (pages.length > 1 || (pages[0]?.bytes ?? 0) > smallBytes)) drop(1);
  }

  function join(): PageReader<Item, Position> {
    const reader: ReaderState = { nextPage: end(), resume: null };
    readers.add(reader);
    const wake = (): void => {
      reader.resume?.();
      reader.resume = null;
    };
    return {
      wake,
      moveToEnd: () => {
        const open = pages.findIndex(({ items }) => items.some(isOpen));
        reader.nextPage = open < 0 ? end() : first + open;
      },
      next: () => {
        if (reader.nextPage < first) return 'behind';
        const page = pages[reader.nextPage - first];
        if (!page) {
          if (pages.length > 0 && readers.size <= fewReaders) prune();
          return null;
        }
        reader.nextPage++;
        return page;
      },
      changed: () => new Promise((resolve) => (reader.resume = resolve)),
      leave: () => {
        readers.delete(reader);
        if (readers.size === 0) drop(pages.length);
        wake();
      },
    };
  }

  return {
    get readers() {
      return readers.size;
    },
    add(items, after) {
      if (items.length === 0) return;
      prune();
      const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
      pages.push({ items, after, bytes });
      itemCount += items.length;
      memory.add(bytes);
      limit();
      for (const reader of readers) {
        reader.resume?.();
        reader.resume = null;
      }
    },
    join,
  };
}
