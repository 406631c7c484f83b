import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { listen } from './listen.ts';

// An https endpoint (CERT, KEY) that responds at once, or never under /hang. Over http it returns its port and
// what has arrived since the last request.

let arrivals = { count: 0, firstAt: 0, lastAt: 0, delaysMs: [] as number[] };
const fresh = () => ({ count: 0, firstAt: 0, lastAt: 0, delaysMs: [] as number[] });

const sink = createServer({ cert: process.env['CERT'], key: process.env['KEY'] }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return;
    const now = performance.timeOrigin + performance.now();
    arrivals.count++;
    arrivals.firstAt ||= now;
    arrivals.lastAt = now;
    if (request.url?.startsWith('/timed')) {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { sent_at: number } };
      arrivals.delaysMs.push(now - data.sent_at);
    }
    response.writeHead(200, { 'content-length': 2 }).end('ok');
  });
});
sink.keepAliveTimeout = 65_000;
sink.listen(0, '127.0.0.1', () => {
  const { port } = sink.address() as AddressInfo;
  listen((request, response) => {
    response.end(JSON.stringify({ port, ...arrivals }));
    if (request.url === '/reset') arrivals = fresh();
  });
});
