/** Stores a value that the page can do without, for example when the storage of the browser is full. */
export function keep(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // It stays in memory.
  }
}
