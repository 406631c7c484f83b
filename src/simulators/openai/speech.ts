import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './journal.ts';
import { apiError, errorForStatus, sendError } from './http.ts';
import { markedBehaviour } from './markers.ts';
import { createMp3Encoder, id3Tag } from './mp3.ts';
import type { Behaviour } from './script.ts';
import { breakStream, drained } from './stream.ts';
import { textFrames } from './text-frames.ts';
import { tonesOf } from './tones.ts';

/** Synthesizes the sound of a text, in pieces. */
export interface Synthesizer {
  /** Description of the sound, for the file's title. */
  title: string;
  sampleRate: number;
  speak(text: string, voice: string, signal: AbortSignal): AsyncIterable<Float32Array>;
}

interface SpeechCall extends Call {
  rule: Behaviour | undefined;
  synthesizer: Synthesizer;
}

const maxInputLength = 4_096;

/**
 * Handles POST /v1/audio/speech. Streams MP3 with its text embedded, and simulates the fault of the script or of a
 * marker in the text.
 */
export async function answerSpeech({ res, recorded, rule, synthesizer }: SpeechCall): Promise<void> {
  const { input, voice } = checkBody(recorded.body);
  const behaviour = rule ?? markedBehaviour(input) ?? {};
  const hangup = new AbortController();
  res.once('close', () => hangup.abort());
  const pause = (ms: number | undefined) =>
    ms ? sleep(ms, undefined, hangup).catch(() => undefined) : Promise.resolve();

  await pause(behaviour.headersDelayMs);
  if (behaviour.fault?.after === 'before_headers')
    return behaviour.fault.kind === 'hang' ? undefined : void res.destroy();
  if (behaviour.status)
    return sendError(res, errorForStatus(behaviour.status, behaviour.retryAfterSeconds, behaviour.error));
  res.writeHead(200, { 'content-type': 'audio/mpeg' });
  res.flushHeaders();
  for await (const chunk of mp3Of(synthesizer, input, voice, hangup.signal)) {
    if (behaviour.fault?.after === recorded.deltasSent) return breakStream(res, behaviour.fault);
    await pause(
      recorded.deltasSent === 0 ? (behaviour.firstDeltaDelayMs ?? behaviour.deltaDelayMs) : behaviour.deltaDelayMs,
    );
    if (hangup.signal.aborted) return;
    if (!res.write(chunk)) await drained(res);
    recorded.deltasSent += 1;
  }
  res.end();
}

function checkBody({ model, input, voice, response_format: format = 'mp3' }: Record<string, unknown>) {
  if (typeof model !== 'string') throw apiError(400, 'you must provide a model parameter');
  if (typeof input !== 'string' || input === '') throw apiError(400, "Invalid 'input': string too short.");
  if (input.length > maxInputLength) {
    throw apiError(400, `Invalid 'input': string too long. Expected a string with maximum length ${maxInputLength}.`);
  }
  if (typeof voice !== 'string') throw apiError(400, "Missing required parameter: 'voice'.");
  if (format !== 'mp3') throw apiError(400, "The simulator makes 'mp3' only.");
  return { input, voice };
}

const chunkBytes = 4_096;

async function* mp3Of(
  synthesizer: Synthesizer,
  text: string,
  voice: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const encoder = await createMp3Encoder(synthesizer.sampleRate);
  yield id3Tag({ title: synthesizer.title, text });
  let ready: Buffer[] = [];
  let readyBytes = 0;
  for await (const sound of synthesizer.speak(text, voice, signal)) {
    if (signal.aborted) return;
    const frames = encoder.encode(sound);
    ready.push(frames);
    readyBytes += frames.length;
    if (readyBytes < chunkBytes) continue;
    yield Buffer.concat(ready);
    ready = [];
    readyBytes = 0;
  }
  yield Buffer.concat([...ready, encoder.finish(), textFrames(text)]);
}

/** Synthesizer for tests, and for installations without another one. */
export const tones: Synthesizer = {
  title: 'Tones instead of speech (simulator)',
  sampleRate: 24_000,
  async *speak(text, voice) {
    for (const sound of tonesOf(text, voice)) {
      yield sound;
      // Yields to the event loop: the simulator runs in the service's process and must not block other requests.
      await breathe();
    }
  },
};
