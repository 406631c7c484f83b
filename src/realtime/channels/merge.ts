/** Two streams of events of one reader: what each yields next, as soon as one has something. */
export interface Pulled<Item> {
  /** The next item; undefined at the end. Null while there is none. */
  readonly next: IteratorResult<Item, void> | null;
  /** Asks for another one. */
  advance(): void;
}

export interface Merge {
  /** Adds a stream and requests its first item at once. */
  pull<Item>(events: AsyncGenerator<Item, void, void>): Pulled<Item>;
  /** Settles when a stream has an item that it did not have. @throws what a stream throws */
  changed(): Promise<void>;
}

/** Waits for several streams at a time, with one promise for each item. */
export function createMerge(): Merge {
  let wake = Promise.withResolvers<void>();
  let isNew = false;
  let failure: Error | undefined;
  const announce = (): void => {
    isNew = true;
    wake.resolve();
  };
  return {
    pull<Item>(events: AsyncGenerator<Item, void, void>) {
      let next: IteratorResult<Item, void> | null = null;
      const advance = (): void => {
        next = null;
        events.next().then(
          (result) => {
            next = result;
            announce();
          },
          (error: unknown) => {
            failure = error as Error;
            announce();
          },
        );
      };
      advance();
      return {
        get next() {
          return next;
        },
        advance,
      };
    },
    async changed() {
      if (!isNew) await wake.promise;
      if (failure) throw failure;
      isNew = false;
      wake = Promise.withResolvers();
    },
  };
}
