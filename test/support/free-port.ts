import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 10_000;
const count = 20_000;
let next = process.pid * 131;

/**
 * Returns a port of 127.0.0.1 that stays free while its process is killed and restarted. It is below the ephemeral ports
 * (32,768 and up), and each test process starts counting at a different number.
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
