import type { ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAllowedAddress } from '../../src/core/http/public-address.ts';
import { createSafeFetch, type Resolve, type SafeFetch } from '../../src/core/http/safe-fetch.ts';
import {
  answer,
  createAuthority,
  faultyCertificate,
  startWebhookReceiver,
  trustedAuthority,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';
import { limitsTime } from '../support/wall-clock.ts';

const body = Buffer.from('{"a":1}');
const open: SafeFetch[] = [];
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  receiver.behave(answer(200));
  await Promise.all(open.splice(0).map((fetch) => fetch.close()));
});

afterAll(() => receiver.close());

function safeFetch(
  options: { allowPrivate?: boolean; maxConnectionsPerOrigin?: number; resolve?: Resolve } = {},
): SafeFetch {
  const fetch = createSafeFetch({ allowPrivate: true, maxConnectionsPerOrigin: 4, ...options });
  open.push(fetch);
  return fetch;
}

const post = (url: string, options: { allowPrivate?: boolean; resolve?: Resolve; timeoutMs?: number } = {}) =>
  safeFetch(options).post({ url, headers: { 'x-test': 'yes' }, body, timeoutMs: options.timeoutMs ?? 2_000 });

test('posts the exact bytes and returns the status, the duration and the start of the response', async () => {
  receiver.behave(answer(202, { 'retry-after': '7' }, 'thank you'));
  const result = await post(`${receiver.url}/a?b=c`);
  expect(result).toMatchObject({ status: 202, fault: null, excerpt: 'thank you', retryAfter: '7' });
  const got = receiver.received.at(-1)!;
  expect([got.path, got.headers['x-test'], got.body.equals(body)]).toEqual(['/a?b=c', 'yes', true]);
});

describe('an address that is not public', () => {
  const forbidden = [
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '0.0.0.0',
    '[::]',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '100.64.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '127.1',
  ];

  test.each(forbidden)('is not connected to when it is written as %s', async (host) => {
    const before = receiver.connections();
    const result = await post(`https://${host}:${receiver.port}/`, { allowPrivate: false });
    expect(result).toMatchObject({ status: null, fault: 'unreachable', excerpt: '' });
    expect(receiver.connections()).toBe(before);
  });

  test.each(['localhost', 'localhost.', 'metadata.example'])(
    'is not connected to when %s resolves to it',
    async (name) => {
      const before = receiver.connections();
      const resolve: Resolve = (_name, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
      const result = await post(`https://${name}:${receiver.port}/`, { allowPrivate: false, resolve });
      expect(result).toMatchObject({ status: null, fault: 'unreachable' });
      expect(receiver.connections()).toBe(before);
    },
  );

  test('is not connected to when the name also resolves to a public one', async () => {
    const resolve: Resolve = (_name, callback) =>
      callback(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    expect(await post('https://both.example/', { allowPrivate: false, resolve })).toMatchObject({
      fault: 'unreachable',
    });
  });

  test('gets the same result whether its port is open or closed', async () => {
    const [onOpen, onClosed] = await Promise.all(
      [receiver.port, 1].map((port) => post(`https://127.0.0.1:${port}/`, { allowPrivate: false })),
    );
    expect({ ...onOpen, durationMs: 0 }).toEqual({ ...onClosed, durationMs: 0 });
  });

  test('is checked at each connection, on the resolved address that is then used', async () => {
    const answers = ['127.0.0.1', '169.254.169.254'];
    let asked = 0;
    const resolve: Resolve = (_name, callback) => callback(null, [{ address: answers[asked++] ?? '', family: 4 }]);
    const fetch = safeFetch({ resolve });
    const url = `https://receiver.test:${receiver.port}/`;
    receiver.behave(answer(200, { connection: 'close' }));
    expect(await fetch.post({ url, headers: {}, body, timeoutMs: 20_000 })).toMatchObject({ status: 200 });
    expect(asked).toBe(1);
    expect(await fetch.post({ url, headers: {}, body, timeoutMs: 20_000 })).toMatchObject({ fault: 'unreachable' });
    expect(asked).toBe(2);
  });

  test('is refused when link-local, metadata, unspecified or translated, even where private ones are allowed', () => {
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', 'fd00::1', '::ffff:10.1.2.3'])
      expect([address, isAllowedAddress(address, true)]).toEqual([address, true]);
    for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', '0.0.0.0', '64:ff9b::a00:1'])
      expect([address, isAllowedAddress(address, true)]).toEqual([address, false]);
    const metadata = ['100.100.100.200', '::ffff:100.100.100.200', 'fd00:ec2::254', 'FD00:EC2:0::254', '168.63.129.16'];
    for (const address of metadata) expect([address, isAllowedAddress(address, true)]).toEqual([address, false]);
  });
});

describe('an endpoint that misbehaves', () => {
  test('is not followed to where it redirects, on its own host or another, in either scheme', async () => {
    let connections = 0;
    const trap = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const { port } = trap.address() as AddressInfo;
    const places = [
      `${receiver.url}/elsewhere`,
      `http://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
      '/elsewhere',
    ];
    for (const status of [300, 301, 302, 303, 307, 308]) {
      for (const location of places) {
        receiver.behave(answer(status, { location }));
        expect(await post(`${receiver.url}/redirect`)).toMatchObject({ status, fault: null });
      }
    }
    // One who follows in the background has had the time of this exchange and the trap's own.
    receiver.behave(answer(200));
    await post(`${receiver.url}/later`);
    await new Promise<void>((resolve) => connect(port, '127.0.0.1', resolve).on('close', resolve));
    trap.close();
    expect(connections).toBe(1);
    expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  test('times out when it sends no headers', limitsTime, async () => {
    receiver.behave(() => undefined);
    const result = await post(receiver.url, { timeoutMs: 300 });
    expect(result).toMatchObject({ status: null, fault: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(295);
    expect(result.durationMs).toBeLessThan(2_000);
  });

  test('times out while its body trickles', limitsTime, async () => {
    receiver.behave((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await post(receiver.url, { timeoutMs: 1_000 })).toMatchObject({ status: 200, fault: 'timeout' });
  });

  test('is read up to 64 KB, of which 4 KB are kept', async () => {
    let written = 0;
    receiver.behave((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const result = await post(receiver.url);
    expect(result).toMatchObject({ status: 200, fault: null, excerpt: 'x'.repeat(4_096) });
    expect(result.durationMs).toBeLessThan(5_000);
    expect(written).toBeLessThan(32 * 1_024 * 1_024);
  });

  test('that resets the connection is an outcome, not an exception', async () => {
    receiver.behave((_response, _received, socket: Socket) => socket.destroy());
    expect(await post(receiver.url)).toMatchObject({ status: null, fault: 'connection_lost' });
  });

  test.each([
    ['is not HTTP', 'hello\r\n\r\n'],
    ['has no end of headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(65_536)}\r\n\r\n`],
  ])('is not reported as unreachable when its response %s', async (_what, reply) => {
    receiver.behave((_response, _received, socket: Socket) => socket.end(reply));
    expect(await post(receiver.url)).toMatchObject({ status: null, fault: 'connection_lost' });
  });

  test('has its response stored as valid text, cut between characters, without NUL', async () => {
    receiver.behave(answer(200, {}, `\0\u{1F989}${'é'.repeat(4_000)}`));
    const { excerpt } = await post(receiver.url);
    expect(excerpt.startsWith('\u{1F989}é')).toBe(true);
    expect(excerpt.endsWith('é')).toBe(true);
    expect(excerpt).not.toContain('\0');
  });

  test('is refused unless its certificate is of a trusted authority', async () => {
    const stranger = await startWebhookReceiver(await createAuthority('Another authority'));
    expect(await post(stranger.url)).toMatchObject({ status: null, fault: 'tls_incomplete_chain' });
    expect(stranger.received).toEqual([]);
    await stranger.close();
  });

  const year = 365 * 86_400_000;
  test.each([
    ['has expired', 'tls_certificate_expired', { notAfterDate: new Date(Date.now() - 86_400_000) }],
    ['is not valid yet', 'tls_certificate_not_yet_valid', { notBeforeDate: new Date(Date.now() + year / 2) }],
    ['is for another host', 'tls_wrong_host', { host: 'elsewhere.test' }],
    ['is self-signed', 'tls_self_signed', { isSelfSigned: true }],
  ] as const)('is refused with the reason when its certificate %s', async (_what, fault, options) => {
    const faulty = await startWebhookReceiver(await faultyCertificate(options));
    expect(await post(faulty.url)).toMatchObject({ status: null, fault });
    expect(faulty.received).toEqual([]);
    await faulty.close();
  });

  test('that offers only HTTP/2 is refused with that reason', async () => {
    const { cert, key } = await trustedAuthority();
    const server = createSecureServer({ cert, key });
    const listening = await listen(server as unknown as Server);
    expect(await post(`https://127.0.0.1:${listening.port}/`)).toMatchObject({
      status: null,
      fault: 'tls_http2_only',
    });
    await listening.close();
  });

  test('may send "100 Continue" without being asked', async () => {
    receiver.behave((response) => {
      response.writeContinue();
      response.writeHead(200).end('thank you');
    });
    expect(await post(receiver.url)).toMatchObject({ status: 200, excerpt: 'thank you' });
  });

  test('is not contacted without TLS', async () => {
    const plain = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\n\r\n');
        socket.once('data', () => socket.destroy());
      }),
    );
    expect(await post(`https://127.0.0.1:${plain.port}/`)).toMatchObject({ status: null, fault: 'tls_not_spoken' });
    expect(await post(`http://127.0.0.1:${plain.port}/`)).toMatchObject({ status: null, fault: 'unreachable' });
    await plain.close();
  });

  test('is unreachable when its port is closed or its name does not resolve', async () => {
    expect(await post('https://127.0.0.1:1/')).toMatchObject({ fault: 'unreachable' });
    const resolve: Resolve = (_name, callback) => callback(new Error('ENOTFOUND'), []);
    expect(await post('https://nowhere.example/', { resolve })).toMatchObject({ fault: 'unreachable' });
  });
});

describe('a kept connection that the peer closes as the next request is sent', () => {
  const once = new WeakSet<Socket>();
  const closing = (response: ServerResponse, _received: unknown, socket: Socket) => {
    if (once.has(socket)) socket.destroy();
    else response.writeHead(200).end();
    once.add(socket);
  };

  test('is replaced at once, and the request is sent again', async () => {
    const fetch = safeFetch({ maxConnectionsPerOrigin: 1 });
    const send = () => fetch.post({ url: receiver.url, headers: {}, body, timeoutMs: 20_000 });
    expect(await send()).toMatchObject({ status: 200 });
    receiver.behave(closing);
    expect(await send()).toMatchObject({ status: 200 });
    // This one breaks, and a new one serves the request.
    expect(await send()).toMatchObject({ status: 200, fault: null });
  });

  test('is a failure when the new one breaks too', async () => {
    const fetch = safeFetch({ maxConnectionsPerOrigin: 1 });
    const send = () => fetch.post({ url: receiver.url, headers: {}, body, timeoutMs: 20_000 });
    await send();
    receiver.behave((_response, _received, socket: Socket) => socket.destroy());
    const before = receiver.received.length;
    expect(await send()).toMatchObject({ status: null, fault: 'connection_lost' });
    expect(receiver.received.length - before).toBe(2);
  });
});

test('connections are kept and reused', async () => {
  const fetch = safeFetch();
  const before = receiver.connections();
  for (let i = 0; i < 10; i++) await fetch.post({ url: receiver.url, headers: {}, body, timeoutMs: 20_000 });
  // The next request may start before the previous connection is free again.
  expect(receiver.connections() - before).toBeLessThanOrEqual(2);
});

async function listen(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
