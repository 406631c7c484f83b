/**
 * Runs `work` once no other tab of this browser runs under the same name. Web Locks exist on secure origins only;
 * elsewhere every tab runs its work immediately.
 */
export async function oneAtATime(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work();
  try {
    await navigator.locks.request(name, { signal }, work);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Acquires one of a limited number of slots shared by all tabs, waiting until one is free. Calls `onWait` if none is.
 * Returns a release function.
 */
export async function acquireSlot(
  name: string,
  slots: number,
  signal: AbortSignal,
  onWait: () => void,
): Promise<() => void> {
  if (!('locks' in navigator)) return () => undefined;
  const waiting = new AbortController();
  const ended = AbortSignal.any([signal, waiting.signal]);
  return new Promise((resolve, reject) => {
    let isTaken = false;
    for (let slot = 0; slot < slots; slot++) {
      const hold = (): Promise<void> | undefined => {
        if (isTaken) return undefined;
        isTaken = true;
        return new Promise((leave) => {
          resolve(leave);
          waiting.abort();
        });
      };
      navigator.locks.request(`${name}:${slot}`, { signal: ended }, hold).catch((error: unknown) => {
        if (!isTaken) reject(error as Error);
      });
    }
    // Requests are handled in order, so a free slot is taken by now.
    void navigator.locks.query().then(() => {
      if (!isTaken && !signal.aborted) onWait();
    });
  });
}
