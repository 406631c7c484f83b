import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// A model provider as a separate process. Each of its TOKENS, one a second, is the time at which it was written. It
// prints its address.

const tokens = Number(process.env['TOKENS']);
const line = (choices: object[], usage: object | null = null): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-clock', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'clock', choices, usage })}\n\n`;
const piece = (delta: object, finish: string | null = null) => [
  { index: 0, delta, logprobs: null, finish_reason: finish },
];

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(line(piece({ role: 'assistant', content: '' })));
  void (async () => {
    for (let n = 0; n < tokens && !response.destroyed; n++) {
      await sleep(1_000);
      response.write(line(piece({ content: `${Date.now()} ` })));
    }
    const usage = { prompt_tokens: 10, completion_tokens: tokens, total_tokens: tokens + 10 };
    response.end(`${line(piece({}, 'stop'))}${line([], usage)}data: [DONE]\n\n`);
  })();
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`),
);
