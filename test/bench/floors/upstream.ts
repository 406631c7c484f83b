import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson } from './caller.ts';
import { createCompletion } from './completion.ts';
import { listen } from './listen.ts';
import { richPieces } from './rich-text.ts';

// The model provider: DELTAS pieces of text, the first after FIRST_DELTA_MS, the others DELTA_MS apart or, with 0, as
// fast as they are read.

const deltas = Number(process.env['DELTAS']);
const firstDeltaMs = Number(process.env['FIRST_DELTA_MS'] ?? 0);
const deltaMs = Number(process.env['DELTA_MS'] ?? 0);

const { opening, piece, ending } = createCompletion('chatcmpl-bench');
const delta = piece(' word');
/** With RICH, Markdown of every kind instead of words. */
const rich = process.env['RICH'] ? richPieces(deltas).map(piece) : null;

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
  response.end(ending(deltas));
}
