import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build, root } from './build.ts';

/**
 * `npm start` runs each state of the sources from a folder of its own, `dist/starts/<fingerprint>`, which is built only
 * if it does not exist. A folder appears complete, by a rename, and never changes afterwards, so that a process that runs
 * from an older one keeps its files. Called with the id of the process that is going to run the service; prints the
 * folder.
 */
const starts = join(root, 'dist/starts');
/** Everything that a build reads. The last is npm's record of the installed packages. */
const sources =
  'src schema rest jobs web deploy/pack package.json package-lock.json tsconfig.json tsconfig.build.json node_modules/.package-lock.json'.split(
    ' ',
  );
/** Unused folders that are kept, for example those of other branches. */
const keptUnused = 2;
const pollMs = 200;

/** Returns a digest of the names and contents of all sources and of what they are built with. */
async function fingerprint(): Promise<string> {
  const listed = await Promise.all(sources.map(filesBelow));
  const files = listed.flat().toSorted();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))));
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}`);
  for (const [index, content] of contents.entries())
    hash.update(`\n${files[index]} ${content.length}\n`).update(content);
  return hash.digest('hex').slice(0, 16);
}

/** Returns the paths of a file, or of all files below a folder, relative to the repository. */
async function filesBelow(path: string): Promise<string[]> {
  const found = await stat(join(root, path)).catch(() => undefined);
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Takes the lock of a folder that is to be built, a link to the holder's process id, unless a running process has it. A
 * lock whose holder was killed is removed.
 */
async function lock(path: string): Promise<boolean> {
  const holder = Number(await readlink(path).catch(() => 0));
  if (holder !== 0 && !isAlive(holder)) await rm(path, { force: true });
  try {
    await symlink(String(process.pid), path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Builds `starts/<name>`, or waits until another process has. What a killed build leaves is removed by a later start. */
async function buildOnce(name: string): Promise<void> {
  const folder = join(starts, name);
  const lockPath = `${folder}.lock`;
  for (let turn = 0; !(await exists(folder)); turn++) {
    if (await lock(lockPath)) {
      try {
        return await buildInto(folder);
      } finally {
        await rm(lockPath, { force: true });
      }
    }
    if (turn === 0) process.stderr.write('Waiting for another process, which is building the service ...\n');
    await wait(pollMs);
  }
}

async function buildInto(folder: string): Promise<void> {
  // Built by another process just before this one took the lock.
  if (await exists(folder)) return;
  process.stderr.write('Building the service, because its sources are new or have changed ...\n');
  const since = performance.now();
  const partial = `${folder}.${process.pid}`;
  try {
    await build(partial);
    await mkdir(join(partial, 'users'));
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  process.stderr.write(`Built in ${Math.round((performance.now() - since) / 1_000)} s.\n`);
}

/** Removes what killed builds left, and all but the newest of the folders from which no process runs. */
async function removeUnused(current: string): Promise<void> {
  const unused: { path: string; builtAt: number }[] = [];
  for (const entry of await readdir(starts)) {
    const [name, builder] = entry.split('.');
    const path = join(starts, entry);
    if (builder === 'lock') continue;
    if (builder !== undefined) {
      if (!isAlive(Number(builder))) await rm(path, { recursive: true, force: true });
    } else if (name !== current && !(await isUsed(path))) unused.push({ path, builtAt: (await stat(path)).mtimeMs });
  }
  const oldest = unused.toSorted((a, b) => b.builtAt - a.builtAt).slice(keptUnused);
  for (const { path } of oldest) await rm(path, { recursive: true, force: true });
}

const isUsed = async (folder: string): Promise<boolean> =>
  (await readdir(join(folder, 'users'))).some((pid) => isAlive(Number(pid)));

await mkdir(starts, { recursive: true });
let name = await fingerprint();
// Sources that change while they are built are built again.
for (let isCurrent = false; !isCurrent;) {
  await buildOnce(name);
  const now = await fingerprint();
  isCurrent = now === name;
  name = now;
}
await writeFile(join(starts, name, 'users', process.argv[2] ?? String(process.ppid)), '');
await removeUnused(name);
process.stdout.write(`${join(starts, name)}\n`);
