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

/** Disconnects a client when its connection is idle for `limitMs`: it has stopped reading a long response. */
export function disconnectWhenStalled(raw: ServerResponse, limitMs = stallLimitMs): void {
  raw.setTimeout(limitMs, () => raw.destroy());
}
