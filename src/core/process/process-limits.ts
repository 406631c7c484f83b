import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

export interface ProcessLimits {
  /** Resident memory, including buffers outside the heap. */
  memoryBytes: number;
  /** CPU time in milliseconds. */
  cpuMs: number;
  /** Elapsed time in milliseconds. */
  wallMs: number;
}

const everyMs = 50;
const pageBytes = 4_096;
const tickMs = 10;

/** Kills a process when it exceeds its limits. Memory and CPU time are enforced on Linux only. */
export function watchProcess(child: ChildProcess, limits: ProcessLimits): { exceeded(): boolean; stop(): void } {
  const startedAt = performance.now();
  let isExceeded = false;
  let isReading = false;
  const enforce = async (): Promise<void> => {
    const { memoryBytes, cpuMs } = await usageOf(child.pid);
    const wallMs = performance.now() - startedAt;
    if (memoryBytes <= limits.memoryBytes && cpuMs <= limits.cpuMs && wallMs <= limits.wallMs) return;
    isExceeded = true;
    clearInterval(timer);
    child.kill('SIGKILL');
  };
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    void enforce().finally(() => (isReading = false));
  }, everyMs);
  child.once('exit', () => clearInterval(timer));
  return { exceeded: () => isExceeded, stop: () => clearInterval(timer) };
}

/**
 * Returns the usage of a process, or zeros where /proc is not available.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
async function usageOf(pid: number | undefined): Promise<{ memoryBytes: number; cpuMs: number }> {
  const stat = await readFile(`/proc/${pid ?? 0}/stat`, 'latin1').catch(() => '');
  // The second field is a name that may contain spaces, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTicks = 0, systemTicks = 0, pages = 0] = [11, 12, 21].map((i) => Number(fields[i]) || 0);
  return { memoryBytes: pages * pageBytes, cpuMs: (userTicks + systemTicks) * tickMs };
}
