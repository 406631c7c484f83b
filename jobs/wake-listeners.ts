import type { WakeSource } from '../src/core/tasks/tasks.ts';

/** Listeners of this process, by kind. */
export interface WakeListeners extends WakeSource {
  /** Calls the listeners of a kind, or all listeners when it is null. */
  notify(kind: string | null): void;
}

export function createWakeListeners(): WakeListeners {
  const byKind = new Map<string, Set<() => void>>();
  return {
    onWake: (kind, listener) => {
      const listeners = byKind.get(kind) ?? new Set();
      byKind.set(kind, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && byKind.get(kind) === listeners) byKind.delete(kind);
      };
    },
    notify: (kind) => {
      const notified = kind === null ? [...byKind.values()] : [byKind.get(kind) ?? []];
      for (const listeners of notified) for (const listener of listeners) listener();
    },
  };
}
