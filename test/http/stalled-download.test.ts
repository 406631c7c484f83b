import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disconnectWhenStalled } from '../../src/core/http/backpressure.ts';
import { limitsTime } from '../support/wall-clock.ts';

const limitMs = 1_000;

let server: Server;
let isReleased: Promise<unknown>;
let client: Socket;

beforeEach(async () => {
  const released = Promise.withResolvers<void>();
  isReleased = released.promise;
  server = createServer((_request, response) => {
    disconnectWhenStalled(response, limitMs);
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
    );
    response.once('close', () => {
      endless.destroy();
      released.resolve();
    });
    endless.pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
});
afterEach(async () => {
  client.destroy();
  server.close();
  await once(server, 'close');
});

test(
  'a client that stops reading a download is disconnected once the limit has passed, and not twice as late',
  limitsTime,
  async () => {
    client.pause();
    const startedAt = performance.now();
    await isReleased;
    const afterMs = performance.now() - startedAt;
    expect(afterMs).toBeGreaterThanOrEqual(limitMs);
    expect(afterMs).toBeLessThan(limitMs * 1.8);
  },
);

test('a client that keeps reading is not disconnected', async () => {
  const startedAt = performance.now();
  let bytes = 0;
  for await (const chunk of client as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (performance.now() - startedAt > limitMs * 3) break;
  }
  expect(bytes).toBeGreaterThan(1_000_000);
});
