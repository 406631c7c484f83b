export interface FeedPage<Item, Position> {
  items: readonly Item[];
  /** Position at which the next page begins. */
  next: Position;
  hasMore: boolean;
}

/** Source of a feed: a log in the database, and the positions at which readers resume. */
export interface FeedSource<Item, Position> {
  /** Returns the position after everything that is committed now. */
  head(): Promise<Position>;
  /** Returns the items after a position, for a reader that is behind. */
  read(position: Position): Promise<FeedPage<Item, Position>>;
  /** Reads new items for all readers. Defaults to `read`. */
  poll?(head: Position): Promise<FeedPage<Item, Position>>;
  /** Returns a function that reports whether a reader at `position` has seen an item already. */
  isRead(position: Position): (item: Item) => boolean;
  /** Returns the size of an item in memory, in bytes. Only an estimate is needed. */
  sizeOf?(item: Item): number;
  /** Returns whether an item still grows. A reader that joins begins with such an item. */
  isOpen?(item: Item): boolean;
  /**
   * Returns an item with the current state for a reader that joins; null while the state is unknown. Later changes are
   * items that follow.
   */
  now?(): Item | null;
}
