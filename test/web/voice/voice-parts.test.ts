import { describe, expect, test } from 'vitest';
import { createPcm16Encoder } from '../../../web/src/voice/pcm16.ts';
import { createSpeechDetector } from '../../../web/src/voice/speech-detector.ts';
import { createUtterances } from '../../../web/src/voice/utterances.ts';

const rate = 48_000;
const pieceSamples = 2_048;

const sine = (samples: number, loudness: number, hertz = 220, sampleRate = rate): Float32Array =>
  Float32Array.from({ length: samples }, (_, n) => loudness * Math.sin((2 * Math.PI * hertz * n) / sampleRate));

/** Splits a sound into pieces of the size that the microphone passes. */
const heard = (seconds: number, loudness: number): Float32Array[] =>
  Array.from({ length: Math.round((seconds * rate) / pieceSamples) }, () => sine(pieceSamples, loudness));

const speech = 0.2;
const fan = 0.02;

describe('the encoder of pcm16', () => {
  test.each([16_000, 44_100, 48_000, 96_000])('keeps the length and the tone of sound at %d Hz', (from) => {
    const encode = createPcm16Encoder(from);
    const sound = sine(from, 0.5, 440, from);
    const pieces: number[] = [];
    for (let at = 0; at < sound.length; at += 1_000)
      pieces.push(...new Int16Array(encode(sound.subarray(at, at + 1_000)).buffer));
    expect(Math.abs(pieces.length - 24_000)).toBeLessThanOrEqual(4);
    const rises = pieces.filter((sample, n) => n > 0 && sample >= 0 && pieces[n - 1]! < 0).length;
    expect(Math.abs(rises - 440)).toBeLessThanOrEqual(2);
    expect(Math.max(...pieces) / 32_767).toBeCloseTo(0.5, 1);
  });

  test('clips sound that is too loud', () => {
    const pieces = new Int16Array(createPcm16Encoder(24_000)(Float32Array.of(2, -2)).buffer);
    expect([...pieces]).toEqual([32_767, -32_767]);
  });
});

describe('the detector of speech', () => {
  const detect = (pieces: Float32Array[], isAgentSpeaking = false) => {
    const detector = createSpeechDetector(rate);
    return pieces.map((piece) => detector.hear(piece, isAgentSpeaking)).filter((change) => change !== null);
  };

  test('finds where speech begins and, after a pause, ends', () => {
    expect(detect([...heard(1, 0), ...heard(2, speech), ...heard(2, 0)])).toEqual(['began', 'ended']);
    expect(detect([...heard(1, 0), ...heard(2, speech), ...heard(0.5, 0)])).toEqual(['began']);
  });

  test('treats a short pause as part of speech, and a click as noise', () => {
    const sentence = [...heard(1, speech), ...heard(0.5, 0), ...heard(1, speech), ...heard(2, 0)];
    expect(detect(sentence)).toEqual(['began', 'ended']);
    expect(detect([...heard(1, 0), ...heard(0.05, speech), ...heard(1, 0)])).toEqual([]);
  });

  test('adapts to the background noise', () => {
    const detector = createSpeechDetector(rate);
    const changes = (pieces: Float32Array[]) => pieces.map((piece) => detector.hear(piece, false)).filter(Boolean);
    expect(changes(heard(12, fan))).toEqual(['began', 'ended']);
    expect(changes(heard(3, fan))).toEqual([]);
    expect(changes([...heard(1, speech), ...heard(2, fan)])).toEqual(['began', 'ended']);
  });

  test('requires louder and longer sound for an interruption', () => {
    const echo = [...heard(1, 0), ...heard(1, 0.02)];
    expect([detect(echo), detect(echo, true)]).toEqual([['began'], []]);
    const word = [...heard(1, 0), ...heard(0.2, speech), ...heard(0.5, 0)];
    expect([detect(word), detect(word, true)]).toEqual([['began'], []]);
    expect(detect([...heard(1, 0), ...heard(0.5, speech)], true)).toEqual(['began']);
  });
});

describe('utterances', () => {
  const cut = (isContinued: () => boolean, pieces: Float32Array[]) => {
    const events: (string | number)[] = [];
    const utterances = createUtterances(rate, {
      onBegin: () => (events.push('begin'), isContinued()),
      onSound: (sound) => {
        const last = events.at(-1);
        if (typeof last === 'number') events[events.length - 1] = last + sound.length / 48_000;
        else events.push(sound.length / 48_000);
      },
      onEnd: () => events.push('end'),
    });
    for (const piece of pieces) utterances.hear(piece, false);
    return events.map((event) => (typeof event === 'number' ? Math.round(event * 10) / 10 : event));
  };
  const said = (seconds: number) => [...heard(1, 0), ...heard(seconds, speech), ...heard(1.5, 0)];

  test('have half a second before the first sound, and the pause after the last', () => {
    const [begin, seconds, end] = cut(() => false, said(2));
    expect([begin, end]).toEqual(['begin', 'end']);
    expect(Math.abs(Number(seconds) - 3.4)).toBeLessThan(0.15);
  });

  test('that continue one before contain it', () => {
    const events = cut(() => true, [...said(2), ...said(2)]);
    expect(events.filter((event) => typeof event === 'string')).toEqual(['begin', 'end', 'begin', 'end']);
    expect(Number(events[4])).toBeGreaterThan(Number(events[1]) * 1.9);
  });

  test('end before they are longer than the service accepts', () => {
    // Speech has gaps; without them it would count as background noise.
    const sentence = [...heard(3, speech), ...heard(0.4, 0)];
    const [, seconds, end] = cut(() => false, [...heard(1, 0), ...Array.from({ length: 18 }, () => sentence).flat()]);
    expect(end).toBe('end');
    expect(Number(seconds)).toBeGreaterThanOrEqual(55);
    expect(Number(seconds)).toBeLessThan(56);
  });
});
