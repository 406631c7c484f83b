import { sampleRate } from './mp3.ts';
import { hash } from './words.ts';

/** Three times the rate of speech, because encoding is CPU-bound and the length of the tones does not matter. */
const charactersPerSecond = 60;
const loudness = 0.25;

/** Base frequency of each voice, in hertz. */
const pitches: Record<string, number | undefined> = {
  alloy: 196,
  echo: 147,
  fable: 220,
  nova: 294,
  onyx: 98,
  shimmer: 262,
};

/** Generates a tone for each word, longer for longer words, with pauses at the punctuation of the text. */
export function* tonesOf(text: string, voice: string): Generator<Float32Array> {
  const base = pitches[voice] ?? 175;
  for (const word of text.match(/\S+/g) ?? []) {
    yield tone(base * 2 ** ((hash(word) % 8) / 12), word.length / charactersPerSecond);
    yield new Float32Array(Math.round(sampleRate * (/[.!?…。！？]["'”’)]*$/.test(word) ? 0.12 : 0.02)));
  }
}

function tone(hertz: number, seconds: number): Float32Array {
  const sound = new Float32Array(Math.max(1, Math.round(Math.min(seconds, 2) * sampleRate)));
  const edge = Math.min(sound.length / 2, sampleRate * 0.01);
  for (let i = 0; i < sound.length; i++) {
    const fade = Math.min(1, i / edge, (sound.length - i) / edge);
    sound[i] = loudness * fade * Math.sin((2 * Math.PI * hertz * i) / sampleRate);
  }
  return sound;
}
