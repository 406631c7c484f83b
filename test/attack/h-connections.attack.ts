import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const lab = openLab();

attack(
  'A75',
  '600 connections that send nothing, slow headers or slow bodies, and their effect on others',
  async (score) => {
    const { hostname, port } = new URL(lab.open.baseUrl);
    const headers = 'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const kinds = {
      silent: { first: '', drip: '' },
      headers: { first: 'GET /v1/models HTTP/1.1\r\nHost: x\r\n', drip: 'X-A: b\r\n' },
      'half a line': { first: 'GET /v1/mod', drip: 'e' },
      body: { first: `${headers}Content-Length: 900000\r\n\r\n{`, drip: ' ' },
      chunks: { first: `${headers}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\n \r\n' },
    };
    const openedAt = performance.now();
    const sockets: { kind: string; socket: Socket; drip: string }[] = [];
    const closed: Record<string, number[]> = {};
    for (const [kind, { first, drip }] of Object.entries(kinds))
      for (let i = 0; i < 120; i++) {
        const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => socket.write(first));
        socket.on('error', () => undefined);
        socket.resume();
        socket.on('close', () => (closed[kind] ??= []).push(performance.now() - openedAt));
        sockets.push({ kind, socket, drip });
      }
    score.tried(sockets.length);
    const dripping = setInterval(() => {
      // The client ignores the server's FIN: a connection counts as closed when it refuses more data.
      for (const { socket, drip } of sockets)
        if (socket.writable && (drip || socket.readableEnded)) socket.write(drip || 'x');
    }, 1_000);
    const probes: number[] = [];
    const closing = ['silent', 'headers', 'half a line'];
    try {
      while (closing.some((kind) => (closed[kind]?.length ?? 0) < 120) && performance.now() - openedAt < 33_000) {
        const startedAt = performance.now();
        const { status } = await lab.open.call('GET', '/v1/models');
        expect(status).toBe(200);
        probes.push(performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    } finally {
      clearInterval(dripping);
      for (const { socket } of sockets) socket.destroy();
    }
    for (const kind of closing) expect({ kind, closed: closed[kind]?.length ?? 0 }).toEqual({ kind, closed: 120 });
    const slowest = Math.max(...closing.flatMap((kind) => closed[kind] ?? []));
    const p99 = probes.toSorted((x, y) => x - y)[Math.floor(probes.length * 0.99)] ?? Infinity;
    score.note(`without headers closed after ${(slowest / 1000).toFixed(0)} s; probes p99 ${p99.toFixed(0)} ms`);
    expect(p99).toBeLessThan(250);
  },
);

attack('A75', 'bodies sent a byte a second, with the request timeout reduced from 120 s to 2 s', async (score) => {
  const service = await startTestApp();
  try {
    const { server } = service.app.server;
    expect(server.requestTimeout).toBe(120_000);
    Object.assign(server, { headersTimeout: 1_000, requestTimeout: 2_000 });
    const { token } = await service.signUp();
    const head = (path: string, type: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n`;
    const agent = await service.createAgent(token);
    const form = 'multipart/form-data; boundary=b';
    const upload = `/v1/knowledge/${agent.id}/documents`;
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    const requests = [
      { first: `${head('/v1/agents', 'application/json')}Content-Length: 9000\r\n\r\n{`, drip: ' ' },
      { first: `${head('/v1/agents', 'application/json')}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\n \r\n' },
      { first: `${head(upload, form)}Content-Length: 9000\r\n\r\n${file}`, drip: 'x' },
      { first: `${head('/v1/voice/stt', form)}Content-Length: 9000\r\n\r\n--b\r\n`, drip: 'x' },
    ];
    await score.each(requests, ({ first, drip }) => drop(service.baseUrl, first, drip, 12_000));
    expect((await service.db.query('select 1 from documents')).rows).toEqual([]);
  } finally {
    await service.close();
  }
});

/** Returns null if the service closes the connection in time. */
function drop(baseUrl: string, first: string, drip: string, limitMs: number): Promise<string | null> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => socket.write(first));
    const dripping = setInterval(() => void (socket.writable && socket.write(drip)), 1_000);
    const limit = setTimeout(() => end('still open'), limitMs);
    const end = (finding: string | null) => {
      clearInterval(dripping);
      clearTimeout(limit);
      socket.destroy();
      resolve(finding);
    };
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => end(null));
  });
}
