import { StartError } from '../process/start-error.ts';

const otherwise = 'or set DATABASE_URL to a PostgreSQL server of your own';

const known: readonly [RegExp, (dataDir: string) => string][] = [
  [
    /no space left on device|ENOSPC|disk quota exceeded|EDQUOT/i,
    (dir) => `The disk that holds ${dir} is full. Free some space and start again.`,
  ],
  [
    /read-only file system|EROFS/i,
    (dir) => `${dir} is on a read-only file system. Set DATA_DIR to a folder that can be written.`,
  ],
  [
    /ENOENT/,
    (dir) =>
      `${dir} could not be created. Check that the disk is mounted and writable, or set DATA_DIR to another folder.`,
  ],
  [
    /could not bind|address already in use|could not create any TCP\/IP sockets/i,
    () =>
      `PostgreSQL could not listen on a port of 127.0.0.1. Check that the loopback interface is up and ports are free, ${otherwise}.`,
  ],
  [
    /permission denied|operation not permitted|EACCES|EPERM/i,
    (dir) =>
      `PostgreSQL cannot write to ${dir}. Make the user who runs the service the owner of the folder, ${otherwise}.`,
  ],
  [
    /could not (create|map|resize) .*shared memory|cannot allocate memory|ENOMEM/i,
    () => `There is too little memory for PostgreSQL. Free some memory, ${otherwise}.`,
  ],
];

/** Returns what went wrong and how to solve it, from the output of initdb or of the server. */
export function describeFailure(output: string, dataDir: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const cause = lines.findLast((line) => /FATAL|PANIC|error:/i.test(line)) ?? lines.at(-1) ?? 'no output';
  const advice = known.find(([pattern]) => pattern.test(output))?.[1](dataDir);
  return advice ? `${advice} (${cause})` : `PostgreSQL could not be started with its data in ${dataDir}: ${cause}`;
}

/**
 * Converts a file system error, or an error of a server on a full disk, that an operator can solve to a StartError.
 * Returns any other error unchanged.
 */
export function asStartError(error: unknown, dataDir: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  const expected = /^(53100|ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOMEM|ENOENT|ENOTDIR|EEXIST|EMFILE|ENAMETOOLONG)$/.test(
    code,
  );
  return expected ? new StartError(describeFailure(error.message, dataDir), { cause: error }) : error;
}
