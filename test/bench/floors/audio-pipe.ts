import { Agent, request as forward } from 'node:http';
import { admit, createPool, readJson } from './caller.ts';
import { listen } from './listen.ts';

// B3: authentication in SQL, then a byte pipe from the provider.

const pool = createPool();
const agent = new Agent({ keepAlive: true });

listen((request, response) => {
  pipe(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});

async function pipe(...[request, response]: Parameters<Parameters<typeof listen>[0]>): Promise<void> {
  await admit(pool, request);
  const { text } = await readJson(request);
  const upstream = forward(`${process.env['UPSTREAM_URL']}/v1/audio/speech`, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json' },
  });
  upstream.end(JSON.stringify({ model: 'tts-1', voice: 'alloy', input: text, response_format: 'mp3' }));
  upstream.on('response', (audio) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    audio.pipe(response);
  });
}
