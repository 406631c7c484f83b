import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { type Holdings, readHoldings } from '../support/holdings.ts';
import type { Findings } from './findings.ts';

/** A process of the service that is ended and started again at the same address. */
export interface Instance {
  readonly name: string;
  readonly url: string;
  /** Grows with each start. */
  readonly life: number;
  readonly state: 'down' | 'starting' | 'up' | 'ending';
  /** When it last got a signal, ended, or became ready; `performance.now()`. */
  readonly disturbedAt: number;
  /** Starts the process. Returns after how many milliseconds it was ready. */
  start(): Promise<number>;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Resident bytes and open files; null while it is not up. */
  sample(): Promise<{ rssBytes: number; files: number } | null>;
  /** Null while it is not up. */
  holdings(): Promise<Holdings | null>;
  /** The values of `/metrics` by name and labels; empty if it does not respond. */
  metrics: () => Promise<ReadonlyMap<string, number>>;
}

interface InstanceOptions {
  name: string;
  env: Record<string, string>;
  findings: Findings;
  /** Counts each line of level warn by its text. */
  onWarning: (message: string) => void;
}

const root = resolve(import.meta.dirname, '../..');
const main = resolve(root, 'dist/service/main.js');
const startLimitMs = 60_000;
const endLimitMs = 45_000;

/** The built service, web and worker in one process. Errors in its log are findings. */
export async function createInstance({ name, env, findings, onWarning }: InstanceOptions): Promise<Instance> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let life = 0;
  let state: Instance['state'] = 'down';
  let disturbedAt = -Infinity;

  const readLine = (line: string) => {
    const entry = parse(line);
    if (!entry) findings.add('a line of output that is not a log line', `${name}: ${line}`);
    else if (Number(entry['level']) >= 50) findings.add('an error in the log', `${name}: ${line.replaceAll(root, '')}`);
    else if (Number(entry['level']) === 40) onWarning(describe(entry));
  };

  return {
    name,
    url,
    get life() {
      return life;
    },
    get state() {
      return state;
    },
    get disturbedAt() {
      return disturbedAt;
    },
    async start() {
      const startedAt = performance.now();
      state = 'starting';
      life += 1;
      const started = spawn(process.execPath, [main], {
        env: { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'warn', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const output of [started.stdout, started.stderr]) createInterface(output).on('line', readLine);
      started.once('exit', (code, signal) => {
        if (state !== 'ending') findings.add('a process ended by itself', `${name}: ${code ?? signal}`);
        state = 'down';
        disturbedAt = performance.now();
      });
      while (!(await isReady(url))) {
        if (started.exitCode !== null) throw new Error(`${name} exited during startup`);
        if (performance.now() - startedAt > startLimitMs) throw new Error(`${name} did not become ready`);
        await delay(20);
      }
      state = 'up';
      disturbedAt = performance.now();
      return performance.now() - startedAt;
    },
    async end(signal) {
      if (!child || state === 'down') return;
      state = 'ending';
      disturbedAt = performance.now();
      const exited = once(child, 'exit');
      child.kill(signal);
      const timer = setTimeout(() => {
        findings.add('a process that did not exit in time after SIGTERM', name);
        child?.kill('SIGKILL');
      }, endLimitMs);
      const [code] = await exited;
      clearTimeout(timer);
      if (signal === 'SIGTERM' && code !== 0) findings.add('an unclean exit after SIGTERM', `${name}: ${code}`);
    },
    async sample() {
      if (state !== 'up' || !child?.pid) return null;
      const folder = `/proc/${child.pid}`;
      try {
        const status = await readFile(`${folder}/status`, 'utf8');
        const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN);
        return { rssBytes: kilobytes * 1024, files: (await readdir(`${folder}/fd`)).length };
      } catch {
        return null;
      }
    },
    holdings: async () => (state === 'up' && child?.pid ? readHoldings({ pid: child.pid, baseUrl: url }) : null),
    metrics: () => readMetrics(url),
  };
}

async function readMetrics(url: string): Promise<Map<string, number>> {
  try {
    const text = await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) })).text();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  } catch {
    return new Map();
  }
}

/** Returns the text of a line and its error, without the parts that vary. */
function describe({ msg, err }: Record<string, unknown>): string {
  const { message = '' } = (err ?? {}) as { message?: string };
  const cause = message.replaceAll(/[0-9a-f]{8}[0-9a-f-]+|\d+/g, '…').slice(0, 80);
  return cause === '' ? String(msg) : `${String(msg)} (${cause})`;
}

function parse(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}
