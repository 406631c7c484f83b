import { listen } from './listen.ts';

// The provider: for speech, audio of the `size` given in the text; for a recording, which it reads completely, a text.

const sizes = new Map<number, Buffer>();

listen((request, response) => {
  const parts: Buffer[] = [];
  const isSpeech = request.url === '/v1/audio/speech';
  request.on('data', (part: Buffer) => {
    if (isSpeech) parts.push(part);
  });
  request.on('end', () => {
    if (!isSpeech) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end('{"text":"Hello.","language":"english","segments":[]}');
    }
    const size = Number(/size (\d+)/.exec(Buffer.concat(parts).toString())?.[1]);
    const audio = sizes.get(size) ?? Buffer.alloc(size, 'a');
    sizes.set(size, audio);
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    return response.end(audio);
  });
});
