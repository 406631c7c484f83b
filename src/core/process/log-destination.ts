import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const maxWaitingBytes = 4_194_304;
const retryMs = 100;

/**
 * Opens a log destination that writes lines to a file descriptor in the background. A problem with the descriptor (a
 * full disk, a reader that is gone or does not read) costs only lines: those that cannot be written are dropped, at
 * most 4 MB are buffered, and once writing succeeds again a line reports how many were lost. Buffered lines are written
 * when the process exits.
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
      // There is nowhere left to report it.
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
