import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Arguments of a process. For a PostgreSQL child process, the first one is its whole title. */
type CommandLine = readonly string[];

/**
 * Returns whether the process is the postmaster or a child process of the named cluster, and not an unrelated process
 * that reuses the id. In a container the command line is all that root can read of another user's process.
 */
export const isPostgresOf = async (pid: number, name: string, platform = process.platform): Promise<boolean> =>
  belongsTo(await commandLineOf(pid, platform), name);

/** Returns the ids of the processes of the named cluster. */
export async function postgresesOf(name: string, platform = process.platform): Promise<number[]> {
  const all = platform === 'linux' ? await commandLinesFromProc() : await commandLinesFromPs();
  return all.filter(([, commandLine]) => belongsTo(commandLine, name)).map(([pid]) => pid);
}

const belongsTo = (commandLine: CommandLine, name: string): boolean =>
  (commandLine[0] ?? '').startsWith(`postgres: ${name}: `) || commandLine.includes(`cluster_name=${name}`);

const commandLineOf = async (pid: number, platform: NodeJS.Platform): Promise<CommandLine> =>
  platform === 'linux' ? fromProc(pid) : split(await ps('-ww', '-o', 'command=', '-p', String(pid)));

const fromProc = async (pid: number): Promise<CommandLine> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');

async function commandLinesFromProc(): Promise<[number, CommandLine][]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  return Promise.all(pids.map(async (pid): Promise<[number, CommandLine]> => [pid, await fromProc(pid)]));
}

/** Used on systems without /proc, such as macOS. */
async function commandLinesFromPs(): Promise<[number, CommandLine][]> {
  const lines = (await ps('-axww', '-o', 'pid=,command=')).split('\n');
  return lines.flatMap((line): [number, CommandLine][] => {
    const [, pid, command = ''] = /^(\d+)\s(.*)$/.exec(line.trimStart()) ?? [];
    return pid === undefined ? [] : [[Number(pid), split(command)]];
  });
}

const split = (command: string): CommandLine => [command, ...command.trim().split(/\s+/)];

/** Returns an empty text when no process matches, because `ps` then exits with 1. */
const ps = (...args: string[]): Promise<string> =>
  promisify(execFile)('ps', args, { maxBuffer: 16 * 1_048_576 }).then(
    ({ stdout }) => stdout,
    () => '',
  );
