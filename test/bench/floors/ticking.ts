import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson } from './caller.ts';
import { listen } from './listen.ts';

// A model provider whose replies last until POST /end: each writes its next number and the time every TICK_MS. /end
// returns how many numbers it has written in all.

const tickMs = Number(process.env['TICK_MS']);
const open = new Set<() => void>();
let written = 0;

const chunk = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'bench', choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: finish }], usage: null })}\n\n`;

listen((request, response) => void answer(request, response).catch(() => response.destroy()));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await readJson(request);
  if (request.url === '/end') {
    for (const end of open) end();
    response.end(JSON.stringify({ written }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  let next = 0;
  const tick = () => {
    response.write(chunk(`${next++}@${Date.now()} `));
    written++;
  };
  const timer = setInterval(tick, tickMs);
  const end = () => {
    clearInterval(timer);
    open.delete(end);
    response.end(`${chunk('', 'stop')}data: [DONE]\n\n`);
  };
  open.add(end);
  response.once('close', end);
  tick();
}
