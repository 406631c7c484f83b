import { connect } from 'node:net';

interface Talk {
  /** Written one after the other, with `pauseMs` in between. */
  parts: readonly (string | Buffer)[];
  pauseMs?: number;
  /** How long to wait for more data. */
  timeoutMs?: number;
}

export interface Said {
  text: string;
  /** Status of every response in the data. */
  statuses: number[];
  closed: boolean;
  ms: number;
}

/** Writes raw bytes and returns what was received until the peer closed the connection or the time was up. */
export function talk(baseUrl: string, { parts, pauseMs = 20, timeoutMs = 3_000 }: Talk): Promise<Said> {
  const { hostname, port } = new URL(baseUrl);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    let done = false;
    const end = (closed: boolean) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));
      resolve({ text, statuses, closed, ms: performance.now() - startedAt });
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    const write = (i: number): void => {
      const part = parts[i];
      if (part === undefined || socket.destroyed) return;
      socket.write(part);
      setTimeout(() => write(i + 1), pauseMs);
    };
    socket.on('connect', () => write(0));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
  });
}
