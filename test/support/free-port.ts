import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 10_000;
const count = 20_000;
let next = process.pid * 131;

/**
 * A port of 127.0.0.1 that stays free until the process it is for listens on it, also when that is killed and started
 * again: it lies below those that systems give to connections (32,768 and up), and each process of the tests begins to
 * count somewhere else.
 */
export async function freePort(): Promise<number> {
  const port = lowest + (next++ % count);
  return (await isFree(port)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
