/** The next item of one of several merged streams. */
export interface Pulled<Item> {
  /** The next item, or the end of the stream; null while neither is known. */
  readonly next: IteratorResult<Item, void> | null;
  /** Requests the next item. */
  advance(): void;
}

export interface Merge {
  /** Adds a stream and requests its first item immediately. */
  pull<Item>(events: AsyncGenerator<Item, void, void>): Pulled<Item>;
  /**
   * Settles when a stream has a new item.
   * @throws the error of a stream
   */
  changed(): Promise<void>;
}

/** Creates a merge, which waits for several streams at once with one promise per item. */
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
