import { createRequire } from 'node:module';
import { detectLanguage } from './detect-language.ts';
import { createSpeakerPool, type PieceToSpeak } from './espeak-pool.ts';
import type { Synthesizer } from './speech.ts';

const pieceLength = 300;

/**
 * Returns a synthesizer with a robotic but real voice from the optional package `espeak-ng`; null when it is not
 * installed.
 */
export function findEspeak(): Synthesizer | null {
  try {
    createRequire(import.meta.url).resolve('espeak-ng');
  } catch {
    return null;
  }
  const pool = createSpeakerPool();
  return {
    title: 'Speech by eSpeak NG (simulator)',
    sampleRate: 22_050,
    async *speak(text, voice, signal) {
      for (const [spoken, piece] of piecesOf(text).entries()) {
        const { wav } = await pool.speak(toPiece(piece, voice), spoken, signal);
        const samples = new Int16Array(wav.slice().buffer, 0, wav.length >> 1);
        yield Float32Array.from(samples, (sample) => sample / 32_768);
      }
    },
  };
}

const toPiece = (text: string, voice: string): PieceToSpeak => ({
  text,
  variant: languageOf(text) + (variants[voice]?.name ?? ''),
  pitch: variants[voice]?.pitch ?? 50,
});

/** Splits a text into sentences, so that the first is audible while the next one is synthesized. */
const piecesOf = (text: string): string[] =>
  [...new Intl.Segmenter('und', { granularity: 'sentence' }).segment(text)].flatMap(
    ({ segment }) => segment.match(new RegExp(`.{1,${pieceLength}}(?:\\s|$)|.{1,${pieceLength}}`, 'gsu')) ?? [],
  );

const variants: Record<string, { name: string; pitch: number } | undefined> = {
  alloy: { name: '+m1', pitch: 50 },
  echo: { name: '+m3', pitch: 45 },
  fable: { name: '+f4', pitch: 60 },
  nova: { name: '+f3', pitch: 65 },
  onyx: { name: '+m7', pitch: 20 },
  shimmer: { name: '+f2', pitch: 45 },
};

const languages: Record<string, string | undefined> = { en: 'en-us', zh: 'cmn', pt: 'pt-br' };
const spoken = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'pl', 'ru', 'tr', 'ar', 'hi', 'ko', 'zh'];
/** Minimum length at which Latin letters identify a language. */
const identifyingLength = 40;

function languageOf(text: string): string {
  const code =
    text.length < identifyingLength && /^[\u0000-\u024f\u2000-\u206f]*$/.test(text)
      ? 'en'
      : detectLanguage(text, spoken);
  return languages[code] ?? (code || 'en-us');
}
