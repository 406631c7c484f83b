const grainMs = 20;

/** Timers of this process for kinds with rows that are due soon. */
export interface WakeTimers {
  /** Calls `wake` for the kind in `inMs`. Calls for a kind within the same 20 ms share a timer. */
  set(kind: string, inMs: number): void;
  clear(): void;
}

export function createWakeTimers(wake: (kind: string) => void): WakeTimers {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    set: (kind, inMs) => {
      const now = performance.now();
      const moment = Math.ceil((now + inMs) / grainMs) * grainMs;
      const name = `${kind} ${moment}`;
      if (timers.has(name)) return;
      const timer = setTimeout(() => {
        timers.delete(name);
        wake(kind);
      }, moment - now);
      timers.set(name, timer);
    },
    clear: () => {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
