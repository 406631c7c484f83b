import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { findEspeak } from '../../src/simulators/openai/espeak.ts';
import { decodeMp3 } from '../support/audio.ts';

const espeak = findEspeak();
let simulator: OpenAiSimulator;

beforeAll(async () => {
  simulator = await startOpenAiSimulator({ log: pino({ level: 'silent' }), synthesizer: espeak ?? undefined });
});
afterAll(() => simulator.stop());

const speak = (input: string, voice: string, signal?: AbortSignal) =>
  fetch(`${simulator.baseUrl}/audio/speech`, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', input, voice }),
    ...(signal ? { signal } : {}),
  });

describe.runIf(espeak)('findEspeak', () => {
  test('speaks longer for a longer text, and differently in each voice', async () => {
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

  test('stops for a caller that disconnects, and serves the next one', async () => {
    const text = 'A sentence that takes its time to be spoken. '.repeat(80);
    for (let i = 0; i < 3; i++) {
      const caller = new AbortController();
      const answer = await speak(text, 'nova', caller.signal);
      await answer.body?.getReader().read();
      caller.abort();
    }
    expect((await speak('Hello.', 'nova')).status).toBe(200);
  });

  test('lets a short text pass long ones', async () => {
    const long = 'A sentence that takes its time to be spoken. '.repeat(90);
    const leave = new AbortController();
    const finished: string[] = [];
    const listen = async (name: string, answer: Promise<Response>) => {
      await (await answer).arrayBuffer();
      finished.push(name);
    };
    const others = Array.from({ length: 4 }, (_, i) =>
      listen(`long ${i}`, speak(long, 'nova', leave.signal)).catch(() => undefined),
    );
    await listen('short', speak('Hello there. How are you?', 'nova'));
    expect(finished).toEqual(['short']);
    leave.abort();
    await Promise.all(others);
  });
});
