import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson } from './caller.ts';
import { listen } from './listen.ts';
import { richPieces } from './rich-text.ts';

// The model provider: DELTAS pieces of text, the first after FIRST_DELTA_MS, the others DELTA_MS apart or, with 0, as
// fast as they are read.

const deltas = Number(process.env['DELTAS']);
const firstDeltaMs = Number(process.env['FIRST_DELTA_MS'] ?? 0);
const deltaMs = Number(process.env['DELTA_MS'] ?? 0);

const chunk = (choice: object | null, usage: object | null = null): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'bench', choices: choice ? [choice] : [], usage })}\n\n`;
const piece = (content: string): string => chunk({ index: 0, delta: { content }, logprobs: null, finish_reason: null });
const delta = piece(' word');
/** With RICH, Markdown of every kind instead of words. */
const rich = process.env['RICH'] ? richPieces(deltas).map(piece) : null;
const opening = chunk({ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null });
const ending =
  chunk({ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }) +
  chunk(null, { prompt_tokens: 10, completion_tokens: deltas, total_tokens: deltas + 10 }) +
  'data: [DONE]\n\n';

listen((request, response) => void answer(request, response).catch(() => response.destroy()));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await readJson(request);
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(opening);
  if (firstDeltaMs > 0) await sleep(firstDeltaMs);
  for (let i = 0; i < deltas && !response.destroyed; i++) {
    if (i > 0 && deltaMs > 0) await sleep(deltaMs);
    if (!response.write(rich?.[i] ?? delta))
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  response.end(ending);
}
