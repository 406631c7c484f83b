import { listen } from './listen.ts';
import { readJson } from './caller.ts';

// A provider of embeddings that computes nothing and responds after LATENCY_MS. Every text has the
// same vector, of DIMENSIONS numbers.

const latencyMs = Number(process.env['LATENCY_MS'] ?? 0);
const dimensions = Number(process.env['DIMENSIONS'] ?? 512);
const vector = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(i * 12.9898) / Math.sqrt(dimensions / 2));
const embedding = Buffer.from(vector.buffer).toString('base64');

listen(
  (request, response) =>
    void readJson(request).then(({ input }) => {
      const body = answerOf([input].flat().length);
      setTimeout(() => response.setHeader('content-type', 'application/json').end(body), latencyMs);
    }),
);

const answers = new Map<number, string>();

function answerOf(texts: number): string {
  const known = answers.get(texts);
  if (known !== undefined) return known;
  const answer = JSON.stringify({
    object: 'list',
    data: Array.from({ length: texts }, (_, index) => ({ object: 'embedding', index, embedding })),
    model: 'bench',
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
  answers.set(texts, answer);
  return answer;
}
