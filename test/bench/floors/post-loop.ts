import { Agent, request } from 'undici';
import { listen } from './listen.ts';

// B4: only POSTs with undici, 64 at a time, to TARGET, with a body of the size of an event. GET /?ms=… runs it.

const target = process.env['TARGET'] ?? '';
const dispatcher = new Agent({ connections: 64, pipelining: 1 });
const headers = { 'content-type': 'application/json' };
const body = Buffer.from(
  JSON.stringify({
    id: `evt_${'0'.repeat(36)}`,
    type: 'message.created',
    created_at: new Date(),
    data: { content: 'x'.repeat(420) },
  }),
);

listen((incoming, response) => {
  const ms = Number(new URL(incoming.url ?? '/', 'http://floor').searchParams.get('ms'));
  void run(ms).then((operations) => response.end(JSON.stringify(operations)));
});

async function run(ms: number): Promise<{ operations: number; ms: number }> {
  const startedAt = performance.now();
  let operations = 0;
  const one = async () => {
    while (performance.now() - startedAt < ms) {
      const answer = await request(target, { method: 'POST', headers, body, dispatcher });
      await answer.body.dump();
      operations++;
    }
  };
  await Promise.all(Array.from({ length: 64 }, one));
  return { operations, ms: performance.now() - startedAt };
}
