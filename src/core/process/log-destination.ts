import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const maxWaitingBytes = 4_194_304;
const retryMs = 100;

/**
 * Writes lines to a file descriptor in the background. Whatever becomes of it (a full disk, a reader that is gone or
 * doesn't read) costs lines and nothing else: what can't be written is dropped, at most 4 MB wait, and once lines go
 * through again one of them says how many were lost. What waits when the process exits is still written.
 */
export function openLogDestination(fd: number): DestinationStream {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let unwritten = Buffer.alloc(0);
  let linesUnwritten = 0;
  let lost = 0;
  let busy = false;

  function next(): void {
    if (unwritten.length === 0) {
      if (waiting.length === 0) return;
      unwritten = Buffer.from(waiting.join(''));
      linesUnwritten = waiting.length;
      waiting = [];
      waitingBytes = 0;
    }
    busy = true;
    write(fd, unwritten, (error, written) => {
      busy = false;
      if (error) return afterError(error);
      unwritten = unwritten.subarray(written);
      if (unwritten.length === 0 && lost > 0) tellLoss();
      next();
    });
  }

  function afterError(error: NodeJS.ErrnoException): void {
    if (error.code === 'EAGAIN' || error.code === 'EBUSY') {
      busy = true;
      setTimeout(() => {
        busy = false;
        next();
      }, retryMs).unref();
      return;
    }
    lost += linesUnwritten;
    unwritten = Buffer.alloc(0);
    next();
  }

  function tellLoss(): void {
    waiting.unshift(
      `${JSON.stringify({ level: 40, time: new Date().toISOString(), lost, msg: 'log lines were lost' })}\n`,
    );
    lost = 0;
  }

  process.once('exit', () => {
    try {
      writeSync(fd, Buffer.concat([unwritten, Buffer.from(waiting.join(''))]));
    } catch {
      // There is no other place to report it.
    }
  });
  return {
    write: (line) => {
      if (waitingBytes > maxWaitingBytes) {
        lost++;
        return;
      }
      waiting.push(line);
      waitingBytes += line.length;
      if (!busy) next();
    },
  };
}
