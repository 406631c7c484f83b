import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresBinaries, postgresMajor } from './postgres-binaries.ts';
import { describeFailure } from './postgres-failures.ts';
import { chooseServerUser, commandAs } from './postgres-user.ts';
import { StartError } from '../process/start-error.ts';

const run = promisify(execFile);
const neededBytes = 64 * 1024 * 1024;

/** A database cluster on disk. `home/data` belongs to PostgreSQL, the rest of `home` to the service. */
export interface Cluster {
  home: string;
  dataDir: string;
  /** Name on the command line of each of the server's processes. Every user can read it. */
  name: string;
  logFile: string;
  /** Password of the role `postgres`, which only this module uses. */
  superuserPassword: string;
  /** Password of the role that owns the service's database. */
  servicePassword: string;
}

/**
 * Returns the cluster of `home`, or null when there is none yet.
 * @throws StartError when the existing one is not usable
 */
export async function findCluster(home: string): Promise<Cluster | null> {
  const dataDir = join(home, 'data');
  try {
    const superuserPassword = (await readFile(join(home, 'password'), 'utf8')).trim();
    const servicePassword = createHmac('sha256', superuserPassword).update('service').digest('hex');
    const { dev, ino } = await stat(dataDir);
    const name = `agent-chat-${dev}-${ino}`;
    return { home, dataDir, name, logFile: join(home, 'server.log'), superuserPassword, servicePassword };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !(await readdir(home).catch(() => null))) return null;
    if (code === 'EACCES') {
      throw new StartError(
        `${home} belongs to another user. Start the service as that user, or set DATA_DIR to a folder of your own.`,
      );
    }
    throw new StartError(
      `${home} holds no usable database (${(error as Error).message}). Restore it from a backup, or move it away.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Checks that the binaries can open the cluster.
 * @throws StartError when another major version of PostgreSQL wrote it, or it is damaged
 */
export async function checkVersion(cluster: Cluster): Promise<void> {
  const version = (await readFile(join(cluster.dataDir, 'PG_VERSION'), 'utf8').catch(() => 'none')).trim();
  if (version === String(postgresMajor)) return;
  throw new StartError(
    `${cluster.dataDir} was written by PostgreSQL ${version}, but the embedded one is ${postgresMajor}. ` +
      'Dump it with the old version and restore it into a new DATA_DIR, or set DATABASE_URL to a server of that version.',
  );
}

/**
 * Creates the cluster of `home` in a temporary folder and renames it when it is complete and synced, so that a crash
 * leaves either nothing or a complete cluster. The caller holds the directory lock.
 */
export async function createCluster(
  home: string,
  binaries: PostgresBinaries,
  env: NodeJS.ProcessEnv,
): Promise<Cluster> {
  await checkSpace(dirname(home));
  const draft = await mkdtemp(`${home}.new-`);
  try {
    await chmod(draft, 0o711);
    await initialize(draft, binaries, env);
    await rename(draft, home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dirname(home));
  const cluster = await findCluster(home);
  if (!cluster) throw new Error(`the new cluster ${home} is gone`);
  return cluster;
}

/**
 * Removes temporary clusters of killed processes. While the lock is held, no other process can be writing one. An
 * initdb that outlived its process can make this fail once; the next start removes the rest.
 */
export async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(dirname(home))) {
    if (!name.startsWith(`${basename(home)}.new-`)) continue;
    await rm(join(dirname(home), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function initialize(draft: string, binaries: PostgresBinaries, env: NodeJS.ProcessEnv): Promise<void> {
  const user = await chooseServerUser(binaries, draft, null);
  const { uid, gid } = user.owner;
  const dataDir = join(draft, 'data');
  const inbox = join(draft, 'inbox');
  const password = randomBytes(32).toString('hex');
  for (const folder of [dataDir, inbox]) {
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, uid, gid);
  }
  const passwordFile = join(inbox, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await chown(passwordFile, uid, gid);
  const options = [
    `--pgdata=${dataDir}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // macOS has no C.UTF-8. The builtin provider determines collation in either case.
    process.platform === 'darwin' ? '--locale=C' : '--locale=C.UTF-8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const [program, args, how] = commandAs(user, binaries.initdb, options, env);
  await run(program, args, how).catch((error: unknown) => {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    throw new StartError(describeFailure(`${stdout ?? ''}\n${stderr || message}`, dataDir), { cause: error });
  });
  await rm(inbox, { recursive: true });
  const kept = await open(join(draft, 'password'), 'wx', 0o600);
  await kept.writeFile(`${password}\n`);
  await kept.sync();
  await kept.close();
  await syncFolder(draft);
}

/** initdb does not always report that the disk is full. */
async function checkSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= neededBytes) return;
  throw new StartError(
    `The disk that holds ${folder} is full: a database needs at least 64 MB. Free some space and start again.`,
  );
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
