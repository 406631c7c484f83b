import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { StartError } from '../process/start-error.ts';

const run = promisify(execFile);

/**
 * User that the server runs as. PostgreSQL refuses to run as root, and initdb refuses a user id that is not in
 * /etc/passwd.
 */
export interface ServerUser {
  /** Description for error messages. */
  name: string;
  /**
   * Program that starts the server and replaces itself with it, so that the process id stays the same. Null when none
   * is needed.
   */
  wrapper: { program: string; args: readonly string[] } | null;
  /** User id for `spawn`. When undefined, that of this process. */
  uid?: number;
  gid?: number;
  /** Owner that the cluster's files must have, as seen by this process. */
  owner: { uid: number; gid: number };
}

interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Returns the first user that can run the binaries and enter `home`, determined by trying. If the service does not run
 * as root, its own user comes first, then a user namespace. Root tries `postgres`, the unprivileged user and the owner
 * of the data folder. If none of them may enter the parent folders (a checkout under /root), it tries a user namespace,
 * where root appears as another user. If that is forbidden (in most containers), it tries one of them with the
 * capability to enter any folder. The owner of an existing cluster (`clusterDir`) is tried first.
 * @throws StartError with the reason why the first candidate failed
 */
export async function chooseServerUser(
  binaries: PostgresBinaries,
  home: string,
  clusterDir: string | null,
): Promise<ServerUser> {
  const currentUid = clusterDir ? (await stat(clusterDir)).uid : null;
  const candidates = await listCandidates((await stat(home)).uid);
  candidates.sort((a, b) => Number(b.owner.uid === currentUid) - Number(a.owner.uid === currentUid));
  const faults: string[] = [];
  for (const candidate of candidates) {
    const fault = await findFault(candidate, binaries, home);
    if (!fault) return candidate;
    faults.push(fault);
  }
  const reason = faults[0] ?? 'there is no user to run it as: /etc/passwd names none but root';
  throw new StartError(
    `PostgreSQL can't be run from ${binaries.postgres} with its data in ${home}: ${reason}. ` +
      'Run the service as a regular user who can read both folders, or set DATABASE_URL to your own PostgreSQL server.',
  );
}

async function listCandidates(homeUid: number): Promise<ServerUser[]> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const accounts = (await readAccounts()).filter((account) => account.uid !== 0);
  const named = (name: string) => accounts.filter((account) => account.name === name);
  const guest = named('nobody')[0] ?? accounts[0];
  const namespace = guest ? [inNamespace(guest, { uid, gid })] : [];
  if (uid !== 0) return [{ name: 'this user', wrapper: null, owner: { uid, gid } }, ...namespace];
  const others = [...named('postgres'), ...named('nobody'), ...accounts.filter((account) => account.uid === homeUid)];
  return [...others.map(asUser), ...namespace, ...others.slice(0, 1).map(withDacOverride)];
}

const asUser = ({ name, uid, gid }: Account): ServerUser => ({ name, wrapper: null, uid, gid, owner: { uid, gid } });

const inNamespace = ({ name, uid, gid }: Account, self: { uid: number; gid: number }): ServerUser => ({
  name: `${name} in a user namespace`,
  wrapper: { program: 'unshare', args: ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'] },
  owner: self,
});

const withDacOverride = ({ name, uid, gid }: Account): ServerUser => ({
  name: `${name} with CAP_DAC_OVERRIDE`,
  wrapper: {
    program: 'setpriv',
    args: [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      // Otherwise access(2), which PostgreSQL uses to check its programs, would ignore the capability.
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--',
    ],
  },
  owner: { uid, gid },
});

/**
 * Returns null when `user` can enter `home` and run initdb there up to the point where it would write; otherwise the
 * reason.
 */
async function findFault(user: ServerUser, binaries: PostgresBinaries, home: string): Promise<string | null> {
  const script = 'cd "$1" && exec "$0" --show --username=postgres --pgdata="$1/none"';
  const [program, args, how] = commandAs(user, 'sh', ['-c', script, binaries.initdb, home], {});
  try {
    await run(program, args, { ...how, timeout: 20_000 });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const said = stderr?.trim() || message;
    return `as ${user.name}: ${said.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
  }
}

async function readAccounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Returns the program, arguments and options for `spawn` or `execFile` that run `program` as `user`. */
export function commandAs(user: ServerUser, program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const how = { uid: user.uid, gid: user.gid, cwd: '/', env: serverEnvironment(env) };
  if (!user.wrapper) return [program, args, how] as const;
  return [user.wrapper.program, [...user.wrapper.args, program, ...args], how] as const;
}

/** Returns a minimal environment: PGDATA, LC_ALL and similar variables of the caller must not affect the server. */
const serverEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))),
  LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
});

/**
 * Changes the owner of the files under `directory` to the server's user. The directory itself is changed last, so its
 * owner shows that the change is complete.
 */
export async function changeOwner(user: ServerUser, directory: string): Promise<void> {
  if ((await stat(directory)).uid === user.owner.uid) return;
  await run('chown', ['-R', `${user.owner.uid}:${user.owner.gid}`, directory]);
}
