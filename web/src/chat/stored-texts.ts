const maximumEntries = 50;
const maximumAgeMs = 30 * 24 * 3_600_000;

interface Entry<Value> {
  value: Value;
  at: number;
}

/** Values in localStorage under a prefix. Each `set` evicts those older than thirty days, then all but the newest fifty. */
export function createStore<Value>(prefix: string) {
  const keys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  const read = (key: string): Entry<Value> | null => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') as Entry<Value> | null;
    } catch {
      return null;
    }
  };
  const prune = (): void => {
    const entries = keys().map((key) => ({ key, at: read(key)?.at ?? 0 }));
    const old = entries
      .toSorted((a, b) => b.at - a.at)
      .filter((entry, index) => {
        return index >= maximumEntries || Date.now() - entry.at > maximumAgeMs;
      });
    for (const { key } of old) localStorage.removeItem(key);
  };
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    get: (name: string): Value | null => read(prefix + name)?.value ?? null,
    /** Returns the stored text, a snapshot that React can compare. */
    getText: (name: string): string | null => localStorage.getItem(prefix + name),
    set(name: string, value: Value): void {
      localStorage.setItem(prefix + name, JSON.stringify({ value, at: Date.now() } satisfies Entry<Value>));
      prune();
      changed();
    },
    remove(name: string): void {
      localStorage.removeItem(prefix + name);
      changed();
    },
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    names: (): string[] => keys().map((key) => key.slice(prefix.length)),
  };
}
