/** Returns the value that the first call creates. */
export interface Lazy<Value> {
  (): Promise<Value>;
  /** Returns the value or its pending promise; undefined before the first call. */
  begun(): Promise<Value> | undefined;
}

/**
 * Returns a function that creates a value on first use and caches it. A failure, such as a module that cannot be loaded
 * because no file descriptor is free, is thrown and not cached: the next call retries.
 */
export function lazy<Value>(make: () => Promise<Value>): Lazy<Value> {
  let made: Promise<Value> | undefined;
  const use = (): Promise<Value> =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
  return Object.assign(use, { begun: () => made });
}
