import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { StartError } from '../process/start-error.ts';
import { waitUntil } from '../waiting/wait-until.ts';

const pollMs = 25;

/**
 * Runs `work` while no other process on this machine holds the lock of `directory`. The kernel releases the lock when
 * its holder dies.
 * @throws StartError when the lock is held by others for `timeoutMs`; the reason of `signal` when it ended the wait
 */
export async function withDirectoryLock<T>(
  directory: string,
  timeoutMs: number,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const acquire = process.platform === 'linux' ? await socketLock(directory) : () => tryLockFile(directory);
  const release = await waitUntil(acquire, { timeoutMs, everyMs: pollMs, ...(signal && { signal }) });
  if (!release) signal?.throwIfAborted();
  if (!release) {
    throw new StartError(
      `Another process has been starting or stopping PostgreSQL under ${directory} for ${Math.round(timeoutMs / 1000)} s. ` +
        'Wait for it or stop it, then start again.',
    );
  }
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Returns a function that tries to take the lock: a listening abstract socket named after the inode of the directory,
 * which needs no file. Linux only.
 */
async function socketLock(directory: string): Promise<() => Promise<(() => Promise<void>) | null>> {
  const { dev, ino } = await stat(directory);
  return () => tryListen(`\0agent-chat-service:${dev}:${ino}`);
}

/** Flag `O_EXLOCK` of macOS and the BSDs: opening the file also locks it. Node has no constant for it. */
const exclusiveLock = 0x20;

/** Locks a file in the directory. Returns a function that releases the lock, or null when another process holds it. */
async function tryLockFile(directory: string): Promise<(() => Promise<void>) | null> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock;
  try {
    const file = await open(join(directory, 'postgres.lock'), flags, 0o600);
    return () => file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

/** Takes the socket name. Returns a function that releases it, or null when the name is in use. */
const tryListen = (name: string): Promise<(() => Promise<void>) | null> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(name, () => resolve(() => close(server)));
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });
