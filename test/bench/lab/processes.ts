import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { BenchProcess } from '../row.ts';

interface StartOptions {
  /** Arguments of node. */
  args: readonly string[];
  env: Record<string, string>;
  /** Returns the port from the line of its output that reports it; null for any other line. */
  portIn: (line: string) => number | null;
  /** Its processors, in the format of `taskset -c`; null for all. */
  processors: string | null;
}

const startLimitMs = 60_000;
const stopLimitMs = 30_000;
const ticksPerSecond = 100;

/** Starts a Node process and waits until it listens. @throws Error with its output if it exits before */
export async function startProcess({ args, env, portIn, processors }: StartOptions): Promise<BenchProcess> {
  const command = processors === null ? [process.execPath] : ['taskset', '-c', processors, process.execPath];
  const startedAt = performance.now();
  const child = spawn(command[0] ?? '', [...command.slice(1), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await listening(child, portIn);
  const pid = child.pid ?? 0;
  return {
    pid,
    url: `http://127.0.0.1:${port}`,
    startMs: performance.now() - startedAt,
    cpuMicros: () => cpuMicrosOf(pid),
    residentBytes: () => residentBytesOf(pid),
    stop: () => stop(child),
  };
}

async function listening(child: ChildProcess, portIn: (line: string) => number | null): Promise<number> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    const giveUp = (why: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`${child.spawnargs.join(' ')} ${why}:\n${said.slice(-20).join('\n')}`));
    };
    const timer = setTimeout(() => giveUp('did not listen in time'), startLimitMs);
    child.once('exit', (code) => giveUp(`ended with ${code}`));
    const read = (line: string) => {
      said.push(line);
      const port = portIn(line);
      if (port === null) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(port);
    };
    // Both are read to the end, so that no process blocks on its output.
    for (const output of [child.stdout, child.stderr]) if (output) createInterface(output).on('line', read);
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  await exited;
  clearTimeout(timer);
}

/** User and system time of all threads; see proc(5), fields 14 and 15 of stat. */
async function cpuMicrosOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * (1_000_000 / ticksPerSecond);
}

async function residentBytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}
