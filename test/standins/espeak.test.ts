import { afterAll, beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';
import { type OpenAiStandIn, startOpenAiStandIn } from '../../src/standins/openai.ts';
import { findEspeak } from '../../src/standins/openai/espeak.ts';
import { decodeMp3 } from '../support/audio.ts';

const espeak = findEspeak();
let standIn: OpenAiStandIn;

beforeAll(async () => {
  standIn = await startOpenAiStandIn({ log: pino({ level: 'silent' }), synthesizer: espeak ?? undefined });
});
afterAll(() => standIn.stop());

const speak = (input: string, voice: string, signal?: AbortSignal) =>
  fetch(`${standIn.baseUrl}/audio/speech`, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', input, voice }),
    ...(signal ? { signal } : {}),
  });

test.runIf(espeak)('eSpeak says more for a longer text, and says it differently in each voice', async () => {
  const decode = async (answer: Response) => decodeMp3(new Uint8Array(await answer.arrayBuffer()));
  const short = await decode(await speak('The tide comes in.', 'alloy'));
  const long = await decode(await speak('The tide comes in. Nobody has to ask it. It goes out again, too.', 'alloy'));
  const other = await decode(await speak('The tide comes in.', 'onyx'));
  expect([short.errors, long.errors, other.errors]).toEqual([[], [], []]);
  expect(short.seconds).toBeGreaterThan(0.8);
  expect(long.seconds).toBeGreaterThan(short.seconds * 2);
  expect(Math.max(...short.samples)).toBeGreaterThan(0.05);
  expect(other.samples.slice(0, 20_000)).not.toEqual(short.samples.slice(0, 20_000));
});

test.runIf(espeak)('eSpeak stops for a caller that leaves, and makes room for the next', async () => {
  const text = 'A sentence that takes its time to be spoken. '.repeat(80);
  for (let i = 0; i < 3; i++) {
    const caller = new AbortController();
    const answer = await speak(text, 'nova', caller.signal);
    await answer.body?.getReader().read();
    caller.abort();
  }
  expect((await speak('Hello.', 'nova')).status).toBe(200);
});
