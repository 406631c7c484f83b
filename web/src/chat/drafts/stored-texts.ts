import { accountId } from '../../api/session.ts';

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
  /** Texts for which the storage is full. This page keeps them. */
  const unstored = new Map<string, string>();
  const textOf = (key: string): string | null => unstored.get(key) ?? localStorage.getItem(key);
  const keysFrom = (prefix: string): string[] =>
    [...new Set([...Object.keys(localStorage), ...unstored.keys()])].filter((key) => key.startsWith(prefix));
  const read = (key: string): Entry<Value> | null => {
    try {
      return JSON.parse(textOf(key) ?? 'null') as Entry<Value> | null;
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
    for (const { key } of old) erase(key);
  };
  const erase = (key: string): void => {
    unstored.delete(key);
    localStorage.removeItem(key);
  };
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    get: (name: string): Value | null => read(keyOf(name))?.value ?? null,
    /** Returns the stored text, a snapshot that React can compare. */
    getText: (name: string): string | null => textOf(keyOf(name)),
    set(name: string, value: Value): void {
      const text = JSON.stringify({ value, at: Date.now() } satisfies Entry<Value>);
      try {
        localStorage.setItem(keyOf(name), text);
        unstored.delete(keyOf(name));
      } catch {
        unstored.set(keyOf(name), text);
      }
      prune();
      changed();
    },
    remove(name: string): void {
      erase(keyOf(name));
      changed();
    },
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    names: (): string[] => keysFrom(keyOf('')).map((key) => key.slice(keyOf('').length)),
  };
}
