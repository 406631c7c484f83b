/** Blocks the thread, as a process is that is suspended. What arrives meanwhile waits in its sockets. */
export const freeze = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
