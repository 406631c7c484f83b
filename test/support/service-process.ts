import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createClient, type Client } from './client.ts';
import { eventually } from './eventually.ts';

/** The built service in a process of its own, as `npm start` runs it: for tests that kill it. */
export interface ServiceProcess extends Client {
  baseUrl: string;
  /** Ends with the exit code, or null when it was killed. */
  exited: Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
  /** What it has logged so far. */
  log(): string;
}

const main = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** Starts it and waits until it is ready. `npm run build` has to have run. `onOutput` gets what it writes, as it writes it. */
export async function startServiceProcess(
  env: Record<string, string>,
  onOutput: (text: string) => void = () => undefined,
): Promise<ServiceProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], PROFILE: 'embedded', LOG_LEVEL: 'warn', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const keep = (chunk: Buffer) => {
    log += chunk.toString();
    onOutput(chunk.toString());
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const baseUrl = `http://127.0.0.1:${port}`;
  await eventually(() => isReady(child, baseUrl, () => log), { timeoutMs: 60_000, what: 'the service' });
  return {
    ...createClient(baseUrl),
    baseUrl,
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
  if (child.exitCode !== null) throw new Error(`the service ended at its start: ${log()}`);
  try {
    return (await fetch(`${baseUrl}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
