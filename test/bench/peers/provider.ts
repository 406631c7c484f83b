import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from '../floors/caller.ts';
import { createCompletion } from '../floors/completion.ts';
import { listen } from '../floors/listen.ts';

// The model provider of all candidates. The user's last message determines the reply: `q7 #40 @50` is 40 words, 50 ms
// apart, the second of which is q7. GET returns how often it was called for each q.

interface Prompt {
  messages: { role: string; content: string | { text?: string }[] }[];
}

const calls = new Map<string, number>();
let count = 0;

listen((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(Object.fromEntries(calls)));
  readJson(request)
    .then((body) => answer(body as unknown as Prompt, response))
    .catch(() => response.destroy());
});

async function answer({ messages }: Prompt, response: ServerResponse): Promise<void> {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const text = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
  const [, label = 'none', deltas = '20', everyMs = '0'] = /(q\d+) #(\d+) @(\d+)/.exec(text) ?? [];
  calls.set(label, (calls.get(label) ?? 0) + 1);
  const { opening, piece, ending } = createCompletion(`chatcmpl-${++count}`);
  const word = piece(' word');
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(opening);
  for (let i = 0; i < Number(deltas) && !response.destroyed; i++) {
    if (i > 0 && everyMs !== '0') await sleep(Number(everyMs));
    if (!response.write(i === 1 ? piece(` ${label}`) : word))
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  response.end(ending(Number(deltas)));
}
