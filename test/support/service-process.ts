import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient, type Client } from './client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** The built service as a child process, for tests that kill it. Not the bundle: a failpoint changes a single module. */
export interface ServiceProcess extends Client {
  baseUrl: string;
  pid: number;
  /** Resolves with the exit code, or null if it was killed. */
  exited: Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>;
  /** Its log so far. */
  log(): string;
}

const compiledMain = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const failpoints = new URL('failpoints.ts', import.meta.url).href;

interface ServiceOptions {
  /** Module to start instead of the compiled one, for example the bundle of the service. */
  main?: string;
  /** Command that wraps node, such as `prlimit --nofile=256`. */
  wrapper?: readonly string[];
  nodeArgs?: readonly string[];
  /** The step at which it exits or throws; see `failpoints.ts`. */
  failpoint?: string | undefined;
  /** A file descriptor for its stdout, instead of a pipe to this process. */
  stdout?: number;
  port?: number;
  /** Receives its output as it is written. */
  onOutput?: (text: string) => void;
}

/** Starts the service and waits until it is ready. Requires `npm run build`. */
export async function startServiceProcess(
  env: Record<string, string>,
  {
    main = compiledMain,
    wrapper = [],
    nodeArgs = [],
    failpoint,
    stdout,
    port: given,
    onOutput = () => undefined,
  }: ServiceOptions = {},
): Promise<ServiceProcess> {
  const port = given ?? (await freePort());
  const failing = failpoint ? [`--import=${failpoints}`] : [];
  const [program, ...args] = [...wrapper, process.execPath, ...failing, ...nodeArgs, main];
  const child = spawn(program, args, {
    env: {
      PATH: process.env['PATH'],
      PROFILE: 'embedded',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ...(failpoint ? { FAILPOINT: failpoint } : {}),
      ...env,
    },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  });
  let log = '';
  const keep = (chunk: Buffer) => {
    log += chunk.toString();
    onOutput(chunk.toString());
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await eventually(() => isReady(child, baseUrl, () => log), { timeoutMs: 60_000, what: 'the service' });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    ...createClient(baseUrl),
    baseUrl,
    pid: child.pid ?? 0,
    exited,
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    log: () => log,
  };
}

async function isReady(child: ChildProcess, baseUrl: string, log: () => string): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended at its start: ${log()}`);
  try {
    return (await fetch(`${baseUrl}/readyz`)).ok;
  } catch {
    return false;
  }
}
