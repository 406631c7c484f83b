import { accountId } from '../api/session.ts';

const maximumEntries = 50;
const maximumAgeMs = 30 * 24 * 3_600_000;

interface Entry<Value> {
  value: Value;
  at: number;
}

/**
 * Values of a kind in localStorage, for each account its own. Each `set` evicts those older than thirty days, then all but
 * the newest fifty.
 */
export function createStore<Value>(kind: string) {
  const keyOf = (name: string): string => `${kind}:${accountId()}:${name}`;
  const keysFrom = (prefix: string): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  const read = (key: string): Entry<Value> | null => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') as Entry<Value> | null;
    } catch {
      return null;
    }
  };
  const prune = (): void => {
    const entries = keysFrom(`${kind}:`).map((key) => ({ key, at: read(key)?.at ?? 0 }));
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
    get: (name: string): Value | null => read(keyOf(name))?.value ?? null,
    /** Returns the stored text, a snapshot that React can compare. */
    getText: (name: string): string | null => localStorage.getItem(keyOf(name)),
    set(name: string, value: Value): void {
      localStorage.setItem(keyOf(name), JSON.stringify({ value, at: Date.now() } satisfies Entry<Value>));
      prune();
      changed();
    },
    remove(name: string): void {
      localStorage.removeItem(keyOf(name));
      changed();
    },
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    names: (): string[] => keysFrom(keyOf('')).map((key) => key.slice(keyOf('').length)),
  };
}
