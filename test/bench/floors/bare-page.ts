import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { listen } from './listen.ts';
import { richPieces } from './rich-text.ts';

// The minimum for a browser: a page that shows a stream as plain text, updated at most 20 times a second.

const pieces = richPieces(Number(process.env['DELTAS']));
const deltaMs = Number(process.env['DELTA_MS']);

const page = `<!doctype html><meta charset="utf-8"><h1>Bare</h1><button autofocus>Start</button><pre id="text" style="white-space: pre-wrap"></pre><script>
let text = '', isPending = false;
const draw = () => { isPending = false; document.querySelector('#text').textContent = text; };
const start = () => {
  const source = new EventSource('/stream');
  source.onmessage = ({ data }) => {
    text += JSON.parse(data);
    if (!isPending) { isPending = true; setTimeout(() => requestAnimationFrame(draw), 50); }
  };
  source.addEventListener('end', () => { source.close(); document.title = 'done'; });
};
document.querySelector('button').addEventListener('click', start);
</script>`;

listen((request, response) => {
  if (request.url === '/stream') void stream(response).catch(() => response.destroy());
  else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
});

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const piece of pieces) {
    if (response.destroyed) return;
    await sleep(deltaMs);
    response.write(`data: ${JSON.stringify(piece)}\n\n`);
  }
  response.end('event: end\ndata: {}\n\n');
}
