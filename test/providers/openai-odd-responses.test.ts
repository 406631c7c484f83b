import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { createBrotliCompress, createGzip } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { openScriptedProvider } from './scripted-provider.ts';

const { createModel, read, failure } = openScriptedProvider();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const listen = (server: Server) =>
  new Promise<ReturnType<typeof createModel>>((resolve) => {
    servers.push(server);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve(createModel({ baseUrl: `http://127.0.0.1:${port}/v1` }));
    });
  });
const provider = (answer: (response: ServerResponse, request: IncomingMessage) => void) =>
  listen(
    createServer((request, response) => {
      request.resume();
      request.on('end', () => answer(response, request));
    }),
  );

const event = (content: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
const whole = [event('one'), event(' two'), event(null, 'stop'), 'data: [DONE]\n\n'];
const headers = { 'content-type': 'text/event-stream' };

describe('content that is a list of parts', () => {
  test('is the text of the parts', async () => {
    const from = await provider((response) => {
      response.writeHead(200, headers);
      response.write(event([{ type: 'text', text: 'one' }, ' and ', { type: 'text', text: 'two' }]));
      response.end(event(null, 'stop'));
    });
    expect((await read({ from })).text).toBe('one and two');
  });

  test.each([[[{ type: 'image_url', image_url: { url: 'x' } }]], [{ text: 'one' }], [7]])(
    'fails as a protocol error when it is not text: %j',
    async (content) => {
      const from = await provider((response) => {
        response.writeHead(200, headers);
        response.end(event(content) + event(null, 'stop'));
      });
      expect((await failure({ from })).code).toBe('upstream_error');
    },
  );
});

describe('a response that is compressed although the request did not ask for it', () => {
  test.each([
    ['gzip', createGzip],
    ['br', createBrotliCompress],
  ] as const)('is decoded: %s', async (encoding, createEncoder) => {
    const from = await provider((response) => {
      response.writeHead(200, { ...headers, 'content-encoding': encoding });
      const encoder = createEncoder();
      encoder.pipe(response);
      for (const piece of whole) encoder.write(piece);
      encoder.end();
    });
    expect((await read({ from })).text).toBe('one two');
  });
});

describe('interim responses', () => {
  test.each(['100 Continue', '103 Early Hints', '102 Processing'])('are ignored: %s', async (status) => {
    const from = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => {
          socket.write(`HTTP/1.1 ${status}\r\n\r\n`);
          const body = whole.join('');
          const head = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n`;
          setTimeout(() => socket.end(head + body), 20);
        });
      }),
    );
    expect((await read({ from })).text).toBe('one two');
  });
});

describe('an event without an end', () => {
  test.each([
    ['in one line', 'data: ', 'x'.repeat(65_536)],
    ['in many lines', '', `data: ${'x'.repeat(65_000)}\n`],
  ])('ends the call at 1 MB: %s', async (_name, start, more) => {
    let sentBytes = 0;
    const from = await provider((response) => {
      response.writeHead(200, headers);
      response.write(start);
      const write = () => {
        while (!response.destroyed && sentBytes < 600 * 1_048_576) {
          sentBytes += more.length;
          if (!response.write(more)) return void response.once('drain', write);
        }
      };
      write();
    });
    const error = await failure({ from });
    expect([error.code, error.message]).toEqual(['upstream_error', expect.stringContaining('1 MB')]);
    expect(sentBytes).toBeLessThan(32 * 1_048_576);
  });

  test('does not limit long replies in ordinary events', async () => {
    const from = await provider((response) => {
      response.writeHead(200, headers);
      for (let i = 0; i < 100; i++) response.write(event('y'.repeat(50_000)));
      response.end(event(null, 'stop'));
    });
    expect((await read({ from })).text).toHaveLength(5_000_000);
  });
});
