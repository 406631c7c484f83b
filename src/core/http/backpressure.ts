import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A client that reads nothing for this long is disconnected, in milliseconds. */
const stallLimitMs = 60_000;

/**
 * Waits until `written` settles, which indicates that the client has read the data. Returns false when the client has
 * disconnected, or was disconnected here because it read nothing for `limitMs`.
 */
export async function isRead(raw: ServerResponse, written: Promise<unknown>, limitMs = stallLimitMs): Promise<boolean> {
  const limit = new AbortController();
  const timer = setTimeout(() => raw.destroy(), limitMs);
  try {
    await Promise.race([written, once(raw, 'close', limit)]);
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
  return !raw.destroyed;
}

/**
 * Disconnects a client that takes nothing of a long response for `limitMs`. Node's own timeout of a socket waits up to
 * twice as long, because the last write counts as activity when it expires first.
 */
export function disconnectWhenStalled(raw: ServerResponse, limitMs = stallLimitMs): void {
  let stalledAtMs: number | null = null;
  const timer = setInterval(
    () => {
      const isWaiting = raw.writableNeedDrain || (raw.writableEnded && !raw.writableFinished);
      stalledAtMs = isWaiting ? (stalledAtMs ?? performance.now()) : null;
      if (stalledAtMs !== null && performance.now() - stalledAtMs >= limitMs) raw.destroy();
    },
    Math.min(checkMs, limitMs / 4),
  ).unref();
  raw.on('drain', () => (stalledAtMs = null));
  raw.once('close', () => clearInterval(timer));
}

/** Interval at which the progress of a long response is checked, in milliseconds. */
const checkMs = 1_000;
