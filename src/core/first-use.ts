/** Returns the value that the first call created. */
export interface FirstUse<Value> {
  (): Promise<Value>;
  /** What was made, or is being made; undefined before the first call. */
  begun(): Promise<Value> | undefined;
}

/**
 * Makes a value at its first use and keeps it. A failure, such as a module that can't be loaded while no descriptor is
 * left, is thrown and not kept: the next use tries again.
 */
export function atFirstUse<Value>(make: () => Promise<Value>): FirstUse<Value> {
  let made: Promise<Value> | undefined;
  const use = (): Promise<Value> =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
  return Object.assign(use, { begun: () => made });
}
