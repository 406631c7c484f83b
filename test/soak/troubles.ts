import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import type { Trouble } from './fleet.ts';

interface Parts {
  /** The data folder of PostgreSQL, whose owner restarts it, and its address. */
  dataDir: string;
  databaseUrl: string;
  /** Proxies in front of the model provider and of the webhook receiver. */
  provider: TcpProxy;
  receiver: TcpProxy;
}

const hangMs = 2_500;
const resetMs = 1_000;
const comebackLimitMs = 60_000;

/** Faults other than ending instances. */
export const createTroubles = ({ dataDir, databaseUrl, provider, receiver }: Parts): Trouble[] => [
  { name: 'PostgreSQL restarted', happen: () => restart(dataDir, databaseUrl, 'SIGINT') },
  { name: 'PostgreSQL killed', happen: () => restart(dataDir, databaseUrl, 'SIGKILL') },
  ...Object.entries({ provider, receiver }).flatMap(([who, proxy]) => [
    { name: `the ${who} hung`, happen: () => disturb(proxy, 'hang', hangMs) },
    { name: `the ${who} cut off`, happen: () => disturb(proxy, 'reset', resetMs) },
  ]),
];

async function disturb(proxy: TcpProxy, mode: 'hang' | 'reset', ms: number): Promise<void> {
  Object.assign(proxy, { mode });
  await delay(ms);
  Object.assign(proxy, { mode: 'pass' });
}

async function restart(dataDir: string, databaseUrl: string, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const pid = await findPostmaster(dataDir);
  process.kill(pid, signal);
  const deadline = performance.now() + comebackLimitMs;
  while ((await findPostmaster(dataDir).catch(() => pid)) === pid || !(await isUp(databaseUrl))) {
    if (performance.now() > deadline) throw new Error('PostgreSQL did not restart');
    await delay(50);
  }
}

async function isUp(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function findPostmaster(dataDir: string): Promise<number> {
  const file = (await readdir(dataDir, { recursive: true })).find((name) => name.endsWith('postmaster.pid')) ?? '';
  return Number((await readFile(join(dataDir, file), 'utf8')).split('\n', 1)[0]);
}
