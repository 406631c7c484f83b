import { createServer, type Server } from 'node:net';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './start-error.ts';

const pollMs = 25;

/**
 * Runs `work` while no other process of this machine holds the lock of `directory`. The lock is a listening abstract
 * socket named after the directory's inode: the kernel releases it when its holder dies, so it can't be left behind.
 * @throws StartError when others hold it for `timeoutMs`
 */
export async function withDirectoryLock<T>(directory: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const { dev, ino } = await stat(directory);
  const name = `\0agent-chat-service:${dev}:${ino}`;
  const deadline = Date.now() + timeoutMs;
  let release = await tryListen(name);
  while (!release) {
    if (Date.now() > deadline) {
      throw new StartError(
        `Another process has been starting or stopping PostgreSQL under ${directory} for ${Math.round(timeoutMs / 1000)} s. ` +
          'Wait for it or stop it, then start again.',
      );
    }
    await sleep(pollMs);
    release = await tryListen(name);
  }
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Answers how to release the name, or null when it is taken. */
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
